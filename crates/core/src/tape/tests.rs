use super::*;

fn spoken() -> Tape {
    let mut tape = Tape::default();
    tape.say(Voice::Reasoning, "Hm");
    tape.say(Voice::Reasoning, "m.");
    tape.end_block();
    tape.say(Voice::Text, "Grüße");
    tape
}

#[test]
fn pieces_from_every_place_add_up_to_the_whole() {
    for ended in [false, true] {
        let mut tape = spoken();
        if ended {
            tape.end_block();
        }
        for place in 0..=tape.len() {
            let Some(pieces) = tape.pieces_from(place) else {
                assert!([8, 10].contains(&place), "only inside a letter is there no place, not at {place}");
                continue;
            };
            let bytes: u64 = pieces.iter().map(|p| p.text.len() as u64 + u64::from(p.is_complete)).sum();
            assert_eq!(place + bytes, tape.len(), "from {place}");
            assert!(pieces.last().is_none_or(|last| last.end == tape.len()));
        }
        assert_eq!(tape.pieces_from(tape.len() + 1), None);
    }
}

#[test]
fn a_closed_tape_is_the_open_one_with_its_last_block_ended() {
    let mut tape = spoken();
    tape.end_block();
    assert_eq!(Tape::closed(tape.blocks().to_vec()), tape);
    assert_eq!(tape.len(), 5 + 8);
    assert_eq!(Tape::closed(vec![]).len(), 0);
}

#[test]
fn a_voice_that_changes_begins_a_block_and_nothing_begins_none() {
    let mut tape = Tape::default();
    tape.say(Voice::Text, "");
    tape.end_block();
    assert_eq!((tape.is_empty(), tape.len(), &tape), (true, 0, &Tape::default()));
    tape.say(Voice::Reasoning, "Hm");
    tape.say(Voice::Text, "He");
    tape.say(Voice::Text, "llo");
    let block = |voice, text: &str| Block { voice, text: text.to_owned() };
    let blocks = vec![block(Voice::Reasoning, "Hm"), block(Voice::Text, "Hello")];
    assert_eq!((tape.is_empty(), tape.blocks()), (false, &blocks[..]));
    assert_eq!(tape.len(), 2 + 1 + 5, "the first has ended");
    assert_eq!(tape.into_blocks(), blocks);
}

#[test]
fn a_person_sees_words_and_nothing_else() {
    let mut tape = Tape::default();
    assert!(!tape.has_text());
    tape.say(Voice::Reasoning, "Hm");
    assert!(!tape.has_text(), "thinking is not for them");
    tape.say(Voice::Text, " \n");
    assert!(!tape.has_text(), "nor is a space");
    tape.say(Voice::Text, "Hello");
    assert!(tape.has_text());
}
