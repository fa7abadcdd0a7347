//! Words as the demo model compares them: in lower case, without endings, without very common words.

/// Words of a text or of a name such as `getCurrentTime` or `lead_id`, in lower case.
pub fn words(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(if c.is_alphanumeric() || is_apostrophe(c) { c } else { ' ' });
        before = c;
    }
    let spaced = spaced.to_lowercase();
    let bare = spaced.split_whitespace().map(|word| word.trim_matches(is_apostrophe));
    bare.map(|word| word.split(is_apostrophe).next().unwrap_or(word).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// Without its ending, so that `expires`, `expired` and `expire` are one word.
pub fn stem(word: &str) -> String {
    let cut = |ending: &str, least: usize| word.strip_suffix(ending).filter(|rest| rest.len() >= least);
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    let bare = cut("ing", 3).or_else(|| cut("ed", 3)).or_else(|| cut("es", 3));
    let bare = bare.or_else(|| cut("s", 3).filter(|rest| !rest.ends_with('s'))).or_else(|| cut("e", 3));
    let bare = bare.unwrap_or(word);
    let mut last = bare.chars().rev();
    match (last.next(), last.next()) {
        (Some(a), Some(b)) if a == b && bare.len() > 4 && bare.len() < word.len() => {
            bare[..bare.len() - a.len_utf8()].to_owned()
        }
        _ => bare.to_owned(),
    }
}

pub fn is_filler(word: &str) -> bool {
    FILLERS.split_whitespace().any(|filler| filler == word)
}

/// The stems of the words that say something, each once, in order.
pub fn content(text: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for word in words(text).iter().filter(|word| !is_filler(word)) {
        let stem = stem(word);
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

/// `lead_id` as a person says it: `lead id`.
pub fn spoken(name: &str) -> String {
    words(name).join(" ")
}

pub fn is_question(text: &str) -> bool {
    let first = words(text).into_iter().next().unwrap_or_default();
    text.trim_end().ends_with('?') || QUESTIONS.split_whitespace().any(|word| word == first)
}

const QUESTIONS: &str = "what which who whom whose when where why how";

const FILLERS: &str = "a an the and or but if then of to in on at for from with by as into onto up out off over under \
    is are was were be been being am do does did done can could will would shall should may might must have has had \
    i me my mine you your yours he him his she her it its we us our they them their this that these those there here \
    what which who whom whose when where why how not no yes please hello hi hey thanks thank ok okay want wants need \
    needs like help let lets so just about some any all one ones get got give make made go goes now new too very also \
    only other another still again back more most such than because while until within don isn aren doesn didn won \
    ll ve re s t d m good morning evening dear well tell say said know";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_in_its_forms_is_one_stem() {
        for forms in [
            &["expire", "expires", "expired", "expiring"][..],
            &["write", "writes", "writing"],
            &["plan", "plans", "planned", "planning"],
            &["policy", "policies"],
            &["tax", "taxes"],
            &["lead", "leads"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
        assert_eq!(
            words("getCurrentTime, the driver’s lead_id"),
            ["get", "current", "time", "the", "driver", "lead", "id"]
        );
        assert_eq!(content("Please follow up the leads, and the lead"), ["follow", "lead"]);
    }

    #[test]
    fn what_is_a_question() {
        for (text, is) in [("When is it", true), ("Is it?", true), ("A Toyota", false), ("whatever", false)] {
            assert_eq!(is_question(text), is, "{text}");
        }
    }
}
