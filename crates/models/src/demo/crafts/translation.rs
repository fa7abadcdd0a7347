//! A text to be translated. The demo knows no languages, so it says so and gives the text back as it came.

use super::super::collect::mark;
use super::super::labels::labelled;
use super::super::params::Param;
use super::super::scene::Scene;
use super::super::values::{Kind, values};
use super::super::words::{concept, words};
use super::facts::{fact, is_new, text_field};
use super::{Words, has_said, is_about, is_anothers};

pub fn given_back(scene: &Scene<'_>, said: Words) -> Option<String> {
    let (material, to) = (text_field("text")?, text_field("target_language")?);
    if !is_about(scene, "translate") || (said == Words::New && is_anothers(scene, &to)) {
        return None;
    }
    let asked_for_text = scene.said.is_some_and(|said| said.contains(&mark(&material)));
    let text = fact(scene, &material, text_in);
    let language = fact(scene, &to, |message| language_in(&to, message));
    let language = language.or_else(|| fact(scene, &text_field("language")?, |_| None));
    if said == Words::New && !is_new(&text) && !is_new(&language) {
        return None;
    }
    let (text, language) = match (text, language) {
        (Some(text), Some(language)) => (text.text, language.text),
        (None, Some(language)) if said == Words::New && !asked_for_text => {
            return Some(format!("What is the {} that you need in {}?", mark(&material), language.text));
        }
        (Some(_), None) if said == Words::New => {
            return Some(format!("Into which language? I need the {}.", mark(&to)));
        }
        _ => return None,
    };
    let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    let quoted = format!("(target language: {language}):\n\n{}", quoted.join("\n"));
    (!has_said(scene, &quoted)).then(|| {
        format!(
            "I can't translate this: I'm Baton's demo model and know no languages. The text is unchanged, and marked \
             for who does the work {quoted}\n\nWith a full model connected, ask again and it comes back in {language}."
        )
    })
}

/// The text is material, whatever language it speaks of: "Text: I learn German. Target language: Danish".
fn language_in(field: &Param, message: &str) -> Option<String> {
    let around = text_in(message).map_or_else(|| message.to_owned(), |text| message.replacen(&text, " ", 1));
    let named = values(&around, None).into_iter().find(|one| one.kind == Kind::Language).map(|one| one.text);
    named.or_else(|| labelled(field, &around).and_then(|(value, _)| value.as_str().map(str::to_owned)))
}

/// "Text: …", what stands in quotation marks, what follows a colon, "translate … into German".
fn text_in(message: &str) -> Option<String> {
    let lower = message.to_ascii_lowercase();
    let kept = |text: &str| {
        Some(text.trim().to_owned()).filter(|text| words(text).iter().any(|w| !w.text.is_empty()))
    };
    if let Some(at) = lower.find("text:") {
        let rest = at + "text:".len();
        let ends = ["target language", "target_language", "language:", "into:"];
        let end = ends.iter().filter_map(|end| lower[rest..].find(end)).min();
        return kept(&message[rest..end.map_or(message.len(), |end| rest + end)]);
    }
    let marks = [('“', '”'), ('„', '“'), ('"', '"'), ('«', '»'), ('»', '«')];
    let quoted = marks.iter().find_map(|(open, close)| {
        let start = message.find(*open)? + open.len_utf8();
        let end = message[start..].rfind(*close)?;
        kept(&message[start..start + end])
    });
    let asks = |head: &str| {
        let names = values(head, None).iter().any(|one| one.kind == Kind::Language);
        names || words(head).iter().any(|word| word.concept == concept("translate"))
    };
    let after_colon = || {
        let (_, text) = message.split_once(':').filter(|(head, _)| asks(head) && head.len() < 80)?;
        kept(text)
    };
    let between = || {
        let all = words(message);
        let verb = all.iter().take(4).find(|word| word.concept == concept("translate"))?;
        let language = values(message, None).into_iter().rfind(|one| one.kind == Kind::Language)?;
        let lead = all.iter().rfind(|word| word.end() <= language.start)?;
        let text = message.get(verb.end()..lead.start)?.trim();
        let points = ["this", "that", "it", "the", "following", "text", "my", "a"];
        let says = words(text).iter().any(|word| !points.contains(&word.text.to_lowercase().as_str()));
        kept(text).filter(|_| says)
    };
    quoted.or_else(after_colon).or_else(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_part_of_a_message_is_the_text() {
        for (message, text, language) in [
            ("Text: Good morning. Target language: German", Some("Good morning."), Some("German")),
            ("Target language: Danish. Text: I learn German.", Some("I learn German."), Some("Danish")),
            ("Please translate “See you” to French", Some("See you"), Some("French")),
            ("Into Danish: We look forward.", Some("We look forward."), Some("Danish")),
            ("Translate good morning into German", Some("good morning"), Some("German")),
            ("Translate this into German", None, Some("German")),
            ("Remember: milk", None, None),
            ("What time is it?", None, None),
        ] {
            let to = text_field("target_language").unwrap();
            assert_eq!(text_in(message).as_deref(), text, "{message}");
            assert_eq!(language_in(&to, message).as_deref(), language, "{message}");
        }
    }
}
