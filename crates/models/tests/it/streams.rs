//! Answers that arrive in pieces of any size and in any spelling.

use super::*;
use crate::server::{Answer, until_read};

#[tokio::test]
async fn anthropic_is_called_as_documented() {
    let server = FakeServer::start([Answer::stream(answer(Vendor::Anthropic))]).await;
    assert_eq!(text_of(&ask(&client(Vendor::Anthropic, &server)).await), "Grüße, 世界.");
    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("post /v1/messages http/1.1"), "{}", seen.head);
    for header in
        ["x-api-key: sk-very-secret", "anthropic-version: 2023-06-01", "content-type: application/json"]
    {
        assert!(seen.head.contains(header), "{}", seen.head);
    }
    assert_eq!(seen.body["stream"], true);
    assert_eq!(seen.body["max_tokens"], 100);
}

#[tokio::test]
async fn openai_is_called_as_documented() {
    let server = FakeServer::start([Answer::stream(answer(Vendor::OpenAi))]).await;
    assert_eq!(text_of(&ask(&client(Vendor::OpenAi, &server)).await), "Grüße, 世界.");
    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("post /v1/chat/completions http/1.1"), "{}", seen.head);
    assert!(seen.head.contains("authorization: bearer sk-very-secret"), "{}", seen.head);
    assert_eq!(seen.body["stream_options"]["include_usage"], true);
    assert_eq!(seen.body["max_tokens"], 100);
}

#[tokio::test]
async fn no_key_is_sent_where_there_is_none() {
    let server = FakeServer::start([Answer::stream(answer(Vendor::OpenAi))]).await;
    let base_url = Some(format!("{}/v1/", server.address).parse().unwrap());
    let options = ProviderOptions { base_url, ..ProviderOptions::of_settings(WireFormat::Openai) };
    let provider = Provider::new(options, HttpOptions::default()).unwrap();
    let options = ModelOptions { providers: vec![Arc::new(provider)], ..ModelOptions::new(Arc::new(Nobody)) };
    let client = ModelSet::new(options).unwrap().resolve("llama3.2").unwrap().client;
    assert_eq!(text_of(&ask(&client).await), "Grüße, 世界.");
    let head = &server.seen()[0].head;
    assert!(head.starts_with("post /v1/chat/completions ") && !head.contains("authorization"), "{head}");
}

#[tokio::test]
async fn cut_at_every_byte() {
    for vendor in BOTH {
        let whole = answer(vendor).as_bytes();
        let halves = (0..=whole.len()).map(|cut| {
            let (before, after) = whole.split_at(cut);
            Answer::pieces([before, after])
        });
        let server = FakeServer::start(halves).await;
        let client = client(vendor, &server);
        for cut in 0..=whole.len() {
            assert_eq!(text_of(&ask(&client).await), "Grüße, 世界.", "{vendor:?} cut at {cut}");
        }
        let server = FakeServer::start([Answer::pieces(whole.chunks(1))]).await;
        assert_eq!(text_of(&ask(&self::client(vendor, &server)).await), "Grüße, 世界.", "byte by byte");
    }
}

#[tokio::test]
async fn other_line_ends_comments_and_pings() {
    for vendor in BOTH {
        let plain = answer(vendor);
        let written = [
            plain.replace('\n', "\r\n"),
            plain.replace("\n\n", "\n\n: keep-alive\n\n"),
            plain.replace("data: ", "data:"),
            plain.trim_end().to_owned(),
        ];
        let server = FakeServer::start(written.iter().map(|text| Answer::stream(text))).await;
        let client = client(vendor, &server);
        for text in &written {
            assert_eq!(text_of(&ask(&client).await), "Grüße, 世界.", "{text}");
        }
    }
}

#[tokio::test]
async fn words_that_arrive_together_are_one_event() {
    for vendor in BOTH {
        let server = FakeServer::start([Answer::stream(answer(vendor))]).await;
        let items = ask(&client(vendor, &server)).await;
        assert_eq!((items.len(), &items[0]), (2, &said("Grüße, 世界.")));
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    for vendor in BOTH {
        let server = FakeServer::start([(); 3].map(|()| Answer::stream(answer(vendor)))).await;
        let client = client(vendor, &server);
        for _ in 0..3 {
            ask(&client).await;
            // The connection goes back to its pool beside us.
            until_read().await;
        }
        let connections: Vec<usize> = server.seen().iter().map(|seen| seen.connection).collect();
        assert_eq!(connections, [0, 0, 0], "{vendor:?}");
    }
}

#[tokio::test]
async fn complete_without_a_last_word() {
    for (vendor, last) in [(Vendor::Anthropic, "event: message_stop"), (Vendor::OpenAi, "data: [DONE]")] {
        let whole = answer(vendor);
        let text = &whole[..whole.find(last).unwrap()];
        let answers =
            [Answer::stream(text), Answer::stream(text).then_cut(), Answer::stream(text).then_silence()];
        let server = FakeServer::start(answers).await;
        let client = client(vendor, &server);
        for ending in ["ended", "cut"] {
            assert_eq!(text_of(&ask(&client).await), "Grüße, 世界.", "{vendor:?} {ending}");
        }
        let silent = server.hurrying_its_silence(ask(&client)).await;
        assert_eq!(text_of(&silent), "Grüße, 世界.", "{vendor:?} silent");
    }
}
