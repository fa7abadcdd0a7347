//! A text to be translated. The demo knows no languages, so it says so and gives the text back as it came.

use super::super::scene::Scene;
use super::{fact, has_said, is_about};

pub fn given_back(scene: &Scene<'_>) -> Option<String> {
    let text = fact(scene, &["text"]).filter(|_| is_about(scene, "translate"))?;
    let language = fact(scene, &["target", "language"]).or_else(|| fact(scene, &["language"]))?;
    let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    let quoted = quoted.join("\n");
    (!has_said(scene, &quoted)).then(|| {
        format!(
            "I can't translate this: I'm Baton's demo model and know no languages. The text is unchanged, and marked \
             for who does the work (target language: {language}):\n\n{quoted}\n\n\
             With a full model connected, ask again and it comes back in {language}."
        )
    })
}
