//! What is kept is what was said, and what is changed or removed is what was meant: conversations over notes that really
//! keep what they are given.

use super::newcomers::World;

/// A conversation: the notes before it, what is said, what the last answer holds, and the notes after it.
type Story<'t> = (&'t [&'t str], &'t [&'t str], &'t [&'t str], &'t [&'t str]);

#[track_caller]
fn check(stories: &[Story<'_>]) {
    for (known, said, parts, left) in stories {
        let notes: Vec<(String, &str)> =
            known.iter().enumerate().map(|(at, text)| (format!("n{at}"), *text)).collect();
        let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let mut world = World::knowing(&notes);
        let answer = said.iter().map(|text| world.say(text)).last().expect("something is said");
        let (mut kept, mut left) = (world.notes(), left.to_vec());
        kept.sort_unstable();
        left.sort_unstable();
        assert_eq!(kept, left, "{said:?}: {answer}");
        for part in *parts {
            assert!(answer.contains(part), "{said:?}: no “{part}” in {answer}");
        }
    }
}

const ANNA: &str = "Anna's birthday is 12 March";
const BOB: &str = "Bob's birthday is 1 May";
const DOOR: &str = "the door code is 4411";

#[test]
fn only_the_note_that_was_named_is_deleted() {
    let dentist = "my dentist is Dr. Weber";
    let table = "the table is reserved for 8";
    let nothing = &["nothing was deleted"][..];
    check(&[
        (
            &[ANNA],
            &["Forget Bob's birthday"],
            &["no note about Bob's birthday", "nothing was deleted"],
            &[ANNA],
        ),
        (
            &[dentist],
            &["Forget my dentist appointment"],
            &["no note about your dentist appointment"],
            &[dentist],
        ),
        (&[dentist], &["Forget my dentist"], &["I deleted the memory “my dentist is Dr. Weber”"], &[]),
        (&[table], &["DROP TABLE memories; --"], &[], &[table]),
        (&[table], &["'; DROP TABLE memories;--"], &[], &[table]),
        (&[table, "locker 1"], &["DELETE FROM memories WHERE table = 1"], &[], &[table, "locker 1"]),
        (
            &[ANNA, BOB],
            &["Forget the birthday"],
            &["1. “Anna's", "2. “Bob's", "Which one do you mean?"],
            &[ANNA, BOB],
        ),
        (&[ANNA, BOB], &["Forget the birthday", "Bob's"], &["deleted", "Bob's birthday"], &[ANNA]),
        (&[ANNA, BOB], &["Forget the birthday", "the first one"], &["Anna's birthday"], &[BOB]),
        (&[ANNA, BOB, DOOR], &["Forget the birthday", "both"], &["I deleted 2 memories"], &[DOOR]),
        (&[ANNA, BOB], &["Forget the birthday", "neither"], &["Nothing was changed"], &[ANNA, BOB]),
        (&[ANNA, BOB], &["Forget the birthday", "never mind"], &["Nothing was changed"], &[ANNA, BOB]),
        (&[ANNA, BOB], &["Forget the birthday", "What time is it?"], &["09:00"], &[ANNA, BOB]),
        (&[ANNA, BOB, DOOR], &["Delete all my notes about birthdays"], &["I deleted 2 memories"], &[DOOR]),
        (&["my grocery list: milk"], &["Delete the grocery store"], nothing, &["my grocery list: milk"]),
        (&[ANNA, BOB], &["Forget the birthday", "all right, Bob's"], &[], &[ANNA, BOB]),
        (
            &["I like tea", "tea at 5"],
            &["Forget that we all like tea"],
            &["Which one"],
            &["I like tea", "tea at 5"],
        ),
        (&[ANNA, BOB], &["Forget everything about her"], &["Nothing was deleted"], &[ANNA, BOB]),
        (&[ANNA, BOB], &["Forget everything except Anna's birthday"], &["Nothing was deleted"], &[ANNA, BOB]),
        (&[ANNA, BOB], &["Delete everything else"], &[], &[ANNA, BOB]),
        (&[ANNA, BOB], &["Delete all notes about facts"], &["no note about facts"], &[ANNA, BOB]),
        (&[ANNA, BOB], &["Delete all my data"], &["I deleted 2"], &[]),
        (&[ANNA, BOB], &["Vergiss alles, was du über mich weißt"], &["I deleted 2"], &[]),
        (&[ANNA, BOB], &["Please forget everything I told you"], &["I deleted 2"], &[]),
        (&[DOOR], &["Forget n0"], &["the door code is 4411"], &[]),
        (&[DOOR], &["Forget the note"], &["Nothing was deleted"], &[DOOR]),
    ]);
}

#[test]
fn words_of_an_order_in_a_sentence_are_no_order() {
    for said in [
        "The manual says to delete the door code",
        "\"Forget the door code\" is what he told me",
        "I forget the door code all the time",
        "She asked me whether she should delete the door code",
        "Please don't delete the door code",
        "Never forget the door code",
    ] {
        check(&[(&[DOOR], &[said], &[], &[DOOR])]);
    }
    let call = "Ana will call and delete the door code";
    check(&[(&[DOOR], &[&format!("Remember that {call}")], &[], &[DOOR, call])]);
}

#[test]
fn a_note_is_never_covered_by_its_own_subject() {
    check(&[
        (&[DOOR], &["Don't forget the door code"], &["already: The door code is 4411."], &[DOOR]),
        (&[DOOR], &["Please remember the door code"], &["already: The door code is 4411."], &[DOOR]),
        (&[ANNA], &["Remember Anna's birthday"], &["already: Anna's birthday is 12 March."], &[ANNA]),
        (
            &[ANNA],
            &["Remember Bob's birthday"],
            &["no note about Bob's birthday", "What should I remember"],
            &[ANNA],
        ),
        (&[], &["remember my name", "Tom", "what is my name?"], &["Tom"], &["my name: Tom"]),
        (&[], &["Don't forget the door code", "It's 4411."], &[], &["the door code: It's 4411"]),
        (&[], &["Remember the door code", "the door code is 4411"], &[], &[DOOR]),
        (&[], &["remember my name", "What time is it?"], &["09:00"], &[]),
        (&[], &["remember my name"], &["no note about your name"], &[]),
        (&[], &["hi, I'm Tom. remember my name", "what is my name?"], &["Tom"], &["my name: I'm Tom"]),
        (&[], &["My name is Tom. Remember my name."], &["your name is Tom"], &["My name is Tom"]),
        (&[], &["Remember my dog Rex"], &["your dog Rex"], &["my dog Rex"]),
        (&[], &["Remember to call Ana"], &["call Ana"], &["call Ana"]),
    ]);
}

#[test]
fn a_second_fact_leaves_the_first() {
    let (red, parked) = ("my car is red", "my car is parked on level 3");
    check(&[
        (
            &[],
            &["Remember that my car is red", "Remember that my car is parked on level 3"],
            &[],
            &[red, parked],
        ),
        (
            &[],
            &["Remember that my car is red", "Remember that my car is red"],
            &["had that note already"],
            &[red],
        ),
    ]);
}

#[test]
fn what_is_kept_is_what_was_said() {
    for said in [
        "my dentist is Dr. Weber",
        "-5 degrees is the minimum",
        "\"quotes\" & <tags> matter",
        "I said \"stop!\"",
        "<b>bold</b> is fun",
        "$HOME is /root",
        "the content is good, and the note: fine",
        "Yahoo! is a company",
        "the password is a.b,c;d!",
        "J. R. Smith is my boss",
        "e.g. tea is fine",
        "it's 50% off (until May)",
        "ich mag Tee & Kaffee – immer",
        "日本語が好き",
        "I like tea, coffee and `code`",
        "* starred * text",
        "1 + 1 = 2",
        "{\"a\": 1}",
        "please is a polite word",
    ] {
        for order in
            ["Remember that", "Please remember that", "remember:", "Note that", "Can you keep in mind that"]
        {
            check(&[(&[], &[&format!("{order} {said}")], &[], &[said])]);
        }
    }
    check(&[
        (&[], &["Remember this: a: b"], &["a: b"], &["a: b"]),
        (&[], &["remember (privately) that I'm tired"], &["you're tired"], &["I'm tired"]),
        (
            &[],
            &["My favourite colour is green, please remember"],
            &["green"],
            &["My favourite colour is green"],
        ),
        (&[], &["Remember that I like tea, please."], &[], &["I like tea"]),
        (&[], &["Remember \"the code is 5\""], &[], &["the code is 5"]),
        (&[], &["Save a note: call Ana. Bob is away."], &[], &["call Ana. Bob is away"]),
        (&[], &["I live in Bern. My dog is Rex.", "yes"], &[], &["I live in Bern. My dog is Rex"]),
        (&[], &["What is the capital of France?", "remember that"], &["What should I remember"], &[]),
    ]);
}

#[test]
fn a_correction_takes_the_place_of_what_it_corrects() {
    let review = |day: &str| format!("my budget review is on {day}");
    let (friday, monday, tuesday) = (review("Fridays"), review("Mondays"), review("Tuesdays"));
    let (friday, monday, tuesday) = (friday.as_str(), monday.as_str(), tuesday.as_str());
    let update = "Update: my budget review is on Tuesdays";
    let replaces = &["It replaces “my budget review is on Fridays”"][..];
    check(&[
        (&[friday], &[update], replaces, &[tuesday]),
        (&[friday, monday], &[update], &["Which one do you mean?"], &[friday, monday]),
        (&[friday, monday], &[update, "the Friday one"], replaces, &[tuesday, monday]),
        (&[friday], &["No, remember that my budget review is on Tuesdays"], replaces, &[tuesday]),
        (&[friday], &["Actually my budget review is on Tuesdays", "yes"], replaces, &[tuesday]),
        (&[DOOR], &["No, remember that my budget review is on Tuesdays"], &[], &[DOOR, tuesday]),
        (&[friday], &["Change my budget review to Tuesdays"], replaces, &[tuesday]),
        (
            &["I live in Bern"],
            &["Actually, remember that I live in Basel"],
            &["It replaces “I live in Bern”"],
            &["I live in Basel"],
        ),
        (
            &["my car is red"],
            &["Change my car key to blue"],
            &["no note about your car key"],
            &["my car is red"],
        ),
    ]);
}

#[test]
fn many_notes_go_to_the_last_or_what_is_left_is_said() {
    let facts = |many: usize| -> World {
        let notes: Vec<(String, String)> =
            (0..many).map(|n| (format!("fact-{n:03}"), format!("fact number {n} is {}", n * 7))).collect();
        World::knowing(&notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>())
    };
    let mut world = facts(60);
    let listed = world.say("What do you remember about me?");
    assert!(listed.contains("… and 40 more."), "{listed}");
    assert_eq!(world.say("What is fact number 3?"), "Fact number 3 is 21.");
    let gone = world.say("Forget everything you know about me");
    assert!(gone.contains("I deleted 60 memories") && !gone.contains("left"), "{gone}");
    assert_eq!(world.notes(), Vec::<&str>::new());
    let mut world = facts(130);
    let gone = world.say("Forget everything you know about me");
    let left = format!("{} more are left", world.notes().len());
    assert!(!world.notes().is_empty() && gone.contains(&left), "{gone}");
    assert!(world.say("Forget everything you know about me").contains("I deleted"));
    assert_eq!(world.notes(), Vec::<&str>::new());
    let mut world = facts(15);
    let gone = world.say("Delete all notes about facts");
    assert!(gone.contains("I deleted 10 memories") && gone.contains("There may be more"), "{gone}");
    assert!(world.say("Delete all notes about facts").contains("I deleted 5 memories"));
}
