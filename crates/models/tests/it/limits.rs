//! Silence, and callers that go away.

use super::*;
use crate::server::Answer;

#[tokio::test]
async fn silence_ends_the_call_and_the_connection() {
    for vendor in BOTH {
        let table = [
            (Answer::mute(), vec![Err(ModelError::Unreachable)]),
            (Answer::stream(": hi\n\n").then_silence(), vec![Err(ModelError::Unreachable)]),
            (
                Answer::stream(first_words(vendor)).then_silence(),
                vec![said("Grüße, "), Err(ModelError::Truncated)],
            ),
        ];
        for (answer, expected) in table {
            let server = FakeServer::start([answer]).await;
            let client = client(vendor, &server);
            assert_eq!(server.hurrying_its_silence(ask(&client)).await, expected);
            assert!(server.client_hangs_up().await);
            assert_eq!(server.seen().len(), 1);
        }
    }
}

#[tokio::test]
async fn dropping_the_stream_hangs_up() {
    for vendor in BOTH {
        let server = FakeServer::start([Answer::stream(first_words(vendor)).then_silence()]).await;
        let mut stream = client(vendor, &server).call(request()).await.unwrap();
        assert_eq!(stream.next().await, Some(said("Grüße, ")));
        drop(stream);
        assert!(server.client_hangs_up().await, "{vendor:?}");
    }
}

#[tokio::test]
async fn dropping_the_call_before_it_answers_hangs_up() {
    for vendor in BOTH {
        for answer in [Answer::mute(), Answer::stream(": hi\n\n").then_silence()] {
            let server = FakeServer::start([answer]).await;
            let client = client(vendor, &server);
            tokio::select! {
                _ = client.call(request()) => panic!("there is no answer"),
                () = server.falls_silent() => {}
            }
            assert!(server.client_hangs_up().await, "{vendor:?}");
        }
    }
}

#[tokio::test]
async fn an_ended_stream_stays_ended() {
    for vendor in BOTH {
        let server = FakeServer::start([Answer::stream(answer(vendor)).then_silence()]).await;
        let mut stream = client(vendor, &server).call(request()).await.unwrap();
        while let Some(item) = stream.next().await {
            item.unwrap();
        }
        assert!(server.client_hangs_up().await, "nothing is kept open for what no longer comes");
    }
}
