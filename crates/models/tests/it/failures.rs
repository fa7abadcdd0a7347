//! Which failed calls are tried again, which are not, and which error comes out in the end.

use super::*;
use crate::server::Answer;

const OVERLOADED: &str = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;

/// What a call gives if the server answers so, and how many requests it took.
async fn outcome(vendor: Vendor, answers: Vec<Answer>) -> (Vec<Result<ModelEvent, ModelError>>, usize) {
    let server = FakeServer::start(answers).await;
    let items = ask(&client(vendor, &server)).await;
    (items, server.seen().len())
}

#[tokio::test]
async fn an_overloaded_vendor_is_asked_again() {
    for vendor in BOTH {
        let answers = vec![Answer::refusal(529, OVERLOADED), Answer::stream(answer(vendor))];
        let (items, requests) = outcome(vendor, answers).await;
        assert_eq!((text_of(&items).as_str(), requests), ("Grüße, 世界.", 2));
    }
}

#[tokio::test]
async fn three_tries_and_no_more() {
    for (status, error) in
        [(503, ModelError::Overloaded), (429, ModelError::Overloaded), (502, ModelError::Unreachable)]
    {
        let (items, requests) = outcome(Vendor::OpenAi, vec![Answer::refusal(status, "{}"); 3]).await;
        assert_eq!((items, requests), (vec![Err(error)], 3), "{status}");
    }
}

#[tokio::test]
async fn the_vendor_says_how_long_to_wait() {
    for (name, value, least) in [("retry-after-ms", "300", 300), ("retry-after", "1", 1_000)] {
        let vendor = Vendor::Anthropic;
        let answers = [Answer::refusal(429, "{}").header(name, value), Answer::stream(answer(vendor))];
        let server = FakeServer::start(answers).await;
        text_of(&ask(&client(vendor, &server)).await);
        let seen = server.seen();
        let waited = seen[1].at - seen[0].at;
        assert!(waited >= Duration::from_millis(least), "{name}: {waited:?}");
    }
}

#[tokio::test]
async fn refusals_that_waiting_does_not_help() {
    let rejected = |words: &str| ModelError::Rejected(words.into());
    let echo = format!(r#"{{"error":{{"message":"bad key {KEY} for model"}}}}"#);
    let table = [
        (
            Answer::refusal(429, r#"{"error":{"code":"insufficient_quota","message":"quota"}}"#),
            ModelError::NoCredit,
        ),
        (Answer::refusal(429, "{}").header("retry-after", "3600"), ModelError::Overloaded),
        (Answer::refusal(529, OVERLOADED).header("x-should-retry", "false"), ModelError::Overloaded),
        (Answer::refusal(401, "{}"), ModelError::KeyRejected),
        (Answer::refusal(404, r#"{"error":{"message":"no model-x here"}}"#), rejected("no model-x here")),
        (Answer::refusal(400, r#"{"error":{"message":"prompt is too long"}}"#), ModelError::ContextTooLong),
        (Answer::refusal(400, &echo), rejected("bad key … for model")),
        (Answer::refusal(307, "").header("location", "http://127.0.0.1:1/"), ModelError::Unreachable),
        (Answer::refusal(200, "<html>").header("content-type", "text/html"), ModelError::Unreachable),
        (Answer::refusal(200, r#"{"error":{"type":"authentication_error"}}"#), ModelError::KeyRejected),
    ];
    for vendor in BOTH {
        for (answer, error) in &table {
            let (items, requests) = outcome(vendor, vec![answer.clone()]).await;
            assert_eq!((items, requests), (vec![Err(error.clone())], 1), "{vendor:?}");
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_before_the_first_word_is_opened_again() {
    for vendor in BOTH {
        let nothing = &first_words(vendor)[..40];
        let error = r#"data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        for broken in [
            Answer::stream(nothing).then_cut(),
            Answer::stream(nothing),
            Answer::stream(""),
            Answer::stream(&format!("{error}\n\n")),
        ] {
            let (items, requests) = outcome(vendor, vec![broken, Answer::stream(answer(vendor))]).await;
            assert_eq!((text_of(&items).as_str(), requests), ("Grüße, 世界.", 2));
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_after_the_first_word_is_not() {
    let error = r#"data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let echo = format!(
        r#"data: {{"type":"error","error":{{"type":"invalid_request_error","message":"bad key {KEY}"}}}}"#
    );
    for vendor in BOTH {
        let first = first_words(vendor);
        let table = [
            (Answer::stream(first).then_cut(), ModelError::Truncated),
            (Answer::stream(first), ModelError::Truncated),
            (Answer::stream(&format!("{first}data: {{\"choi")), ModelError::Truncated),
            (Answer::stream(&format!("{first}{error}\n\n")), ModelError::Overloaded),
            (Answer::stream(&format!("{first}{echo}\n\n")), ModelError::Rejected("bad key …".into())),
        ];
        for (broken, error) in table {
            let (items, requests) = outcome(vendor, vec![broken]).await;
            assert_eq!((items, requests), (vec![said("Grüße, "), Err(error)], 1), "{vendor:?}");
        }
    }
}

#[tokio::test]
async fn streams_that_never_say_a_word_end_as_what_they_are() {
    let (items, requests) = outcome(Vendor::OpenAi, vec![Answer::stream(""); 3]).await;
    assert_eq!((items, requests), (vec![Err(ModelError::Truncated)], 3));
    let (items, requests) = outcome(Vendor::OpenAi, vec![Answer::stream("").then_cut(); 3]).await;
    assert_eq!((items, requests), (vec![Err(ModelError::Unreachable)], 3));
}

#[tokio::test]
async fn nobody_listens() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for vendor in BOTH {
        assert_eq!(ask(&client_at(vendor, &address, quick())).await, [Err(ModelError::NoConnection)]);
    }
}
