//! Addresses that people of a workspace named: no connection is made to one that the guard doesn't allow, and a key goes to
//! no other address than its own.

use std::net::IpAddr;

use baton_models::AddressGuard;

use super::*;
use crate::server::Answer;

struct Only(Option<IpAddr>);

impl AddressGuard for Only {
    fn allows(&self, address: IpAddr) -> bool {
        self.0 == Some(address)
    }
}

fn guarded(address: &str, allowed: Option<IpAddr>) -> Arc<dyn ChatModel> {
    let options = ProviderOptions {
        key: ProviderKey::Known(SecretText::new(KEY)),
        base_url: Some(format!("{address}/v1").parse().unwrap()),
        guard: Some(Arc::new(Only(allowed))),
        ..ProviderOptions::of_settings(WireFormat::Openai)
    };
    Provider::new(options, quick()).unwrap().client().unwrap()
}

#[tokio::test]
async fn a_connection_is_made_only_where_the_guard_allows_it() {
    let server = FakeServer::start([Answer::stream(answer(Vendor::OpenAi))]).await;
    let port = server.address.rsplit(':').next().unwrap();
    let here: IpAddr = "127.0.0.1".parse().unwrap();
    // By its address in several spellings, and by a name that leads there.
    for host in ["127.0.0.1", "0x7f.1", "2130706433", "localhost"] {
        let heard = ask(&guarded(&format!("http://{host}:{port}"), None)).await;
        assert_eq!(heard, [Err(ModelError::NoConnection)], "{host}");
    }
    assert_eq!(server.seen().len(), 0);
    let heard = ask(&guarded(&server.address, Some(here))).await;
    assert_eq!(text_of(&heard), "Grüße, 世界.");
}

#[tokio::test]
async fn a_redirect_is_not_followed_so_the_key_stays_where_it_belongs() {
    let elsewhere = FakeServer::start([Answer::stream(answer(Vendor::OpenAi))]).await;
    for vendor in BOTH {
        let to = format!("{}/v1/chat/completions", elsewhere.address);
        let server = FakeServer::start([Answer::refusal(307, "").header("location", &to)]).await;
        let heard = ask(&client(vendor, &server)).await;
        assert!(matches!(heard[..], [Err(_)]), "{heard:?}");
        assert_eq!((server.seen().len(), elsewhere.seen().len()), (1, 0));
    }
}
