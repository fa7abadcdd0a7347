//! Signing in, at a server that is its own issuer of tokens. The conformance suite tests what servers may do otherwise.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use baton_core::ids::ProfileId;
use baton_core::secrets::SecretText;
use baton_core::store;
use baton_core::visitors::Person;
use serde_json::json;
use url::Url;

use super::fake::{Answer, Fake, http};
use super::*;
use crate::mcp::sign_in::{SignInBegun, SignInClient, SignInError, SignInPlace, SignIns};

#[derive(Default)]
struct Drawer {
    kept: Mutex<HashMap<String, SecretText>>,
    lock: Arc<tokio::sync::Mutex<()>>,
    locked: AtomicUsize,
}

#[async_trait]
impl SignIns for Drawer {
    async fn load(&self, place: &SignInPlace) -> store::Result<Option<SecretText>> {
        Ok(self.kept.lock().expect("a lock").get(&format!("{place:?}")).cloned())
    }
    async fn save(&self, place: &SignInPlace, kept: SecretText) -> store::Result<()> {
        self.kept.lock().expect("a lock").insert(format!("{place:?}"), kept);
        Ok(())
    }
    async fn forget(&self, place: &SignInPlace) -> store::Result<()> {
        self.kept.lock().expect("a lock").remove(&format!("{place:?}"));
        Ok(())
    }
    async fn lock(&self, _: &SignInPlace) -> store::Result<Box<dyn Send>> {
        self.locked.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(self.lock.clone().lock_owned().await))
    }
}

/// What the server takes and gives.
#[derive(Default)]
struct House {
    /// The token that is taken, `t` and this number; each renewal gives the next.
    taken: AtomicUsize,
    given: AtomicUsize,
    renewals: AtomicUsize,
    renews: std::sync::atomic::AtomicBool,
}

impl House {
    fn answer(&self, at: &str, asked: &Value) -> Option<Answer> {
        let path = asked["http"]["path"].as_str().unwrap_or_default();
        if path.starts_with("/.well-known/oauth-protected-resource") {
            let about = json!({"resource": format!("{at}/mcp"), "authorization_servers": [at], "scopes_supported": ["read"]});
            return Some(http("200 OK", "", &about));
        }
        if path.starts_with("/.well-known/") {
            return Some(http(
                "200 OK",
                "",
                &json!({
                    "issuer": at, "authorization_endpoint": format!("{at}/authorize"), "token_endpoint": format!("{at}/token"),
                    "registration_endpoint": format!("{at}/register"), "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
                    "authorization_response_iss_parameter_supported": true,
                }),
            ));
        }
        match path {
            "/register" => {
                Some(http("201 Created", "", &json!({"client_id": "c1", "redirect_uris": [BACK]})))
            }
            "/token" => Some(self.token(asked["http"]["body"].as_str().unwrap_or_default())),
            _ => {
                let taken = format!("bearer t{}", self.taken.load(Ordering::SeqCst));
                let refused = asked["http"]["authorization"] != json!(taken);
                let about = format!("{at}/.well-known/oauth-protected-resource/mcp");
                let challenge = format!("www-authenticate: Bearer resource_metadata=\"{about}\"\r\n");
                refused.then(|| http("401 Unauthorized", &challenge, &json!({})))
            }
        }
    }

    fn token(&self, body: &str) -> Answer {
        if body.contains("grant_type=refresh_token") {
            self.renewals.fetch_add(1, Ordering::SeqCst);
            if !self.renews.load(Ordering::SeqCst) {
                return http("400 Bad Request", "", &json!({"error": "invalid_grant"}));
            }
        }
        let number = self.given.fetch_add(1, Ordering::SeqCst) + 1;
        self.taken.store(number, Ordering::SeqCst);
        http(
            "200 OK",
            "",
            &json!({"access_token": format!("t{number}"), "token_type": "Bearer",
            "expires_in": 3600, "refresh_token": format!("r{number}"), "scope": "read"}),
        )
    }
}

const BACK: &str = "https://baton.example/api/sign-in";

struct Visit {
    house: Arc<House>,
    fake: Fake,
    drawer: Arc<Drawer>,
    with: Connections,
    server: Server,
    person: Person,
}

impl Visit {
    async fn new() -> Self {
        let house = Arc::<House>::default();
        house.renews.store(true, Ordering::SeqCst);
        let (answers, place) = (house.clone(), Arc::<std::sync::OnceLock<String>>::default());
        let known = place.clone();
        let fake = Fake::start(move |asked| answers.answer(known.get().expect("its address"), asked)).await;
        place.set(format!("http://{}", fake.at)).expect("once");
        let drawer = Arc::<Drawer>::default();
        let with = connections(Options { sign_ins: Some(drawer.clone()), ..options() });
        let server = at(fake.url());
        Self { house, fake, drawer, with, server, person: Person::Profile(ProfileId::new()) }
    }

    async fn begin(&self) -> SignInBegun {
        let client = SignInClient { redirect_uri: BACK.into(), ..SignInClient::default() };
        self.with.begin_sign_in(&self.server, self.person, &client).await.expect("it begins")
    }

    async fn finish(&self, begun: &SignInBegun, back: &str) -> Result<(), SignInError> {
        self.with.finish_sign_in(&self.server, self.person, &begun.under_way, back).await
    }

    fn back(&self, begun: &SignInBegun) -> String {
        format!("{BACK}?code=abc&state={}&iss=http://{}", begun.state, self.fake.at)
    }

    async fn signed_in() -> Self {
        let visit = Self::new().await;
        let begun = visit.begin().await;
        visit.finish(&begun, &visit.back(&begun)).await.expect("signed in");
        visit
    }

    async fn call(&self) -> Result<Outcome, CallFailure> {
        let (_waits, mut context) = context();
        context.person = self.person;
        let asked =
            ServerCall { server: &self.server, raw_name: "echo", arguments: Map::new(), context: &context };
        self.with.call(asked).await
    }

    fn calls_with(&self, token: &str) -> usize {
        let calls = self.fake.seen("tools/call");
        calls.iter().filter(|call| call["http"]["authorization"] == json!(format!("bearer {token}"))).count()
    }
}

#[tokio::test]
async fn a_person_signs_in_and_their_calls_use_it_and_nobody_elses() {
    let visit = Visit::new().await;
    assert_eq!(visit.with.list(&visit.server, Some(visit.person)).await.trouble, Some(Trouble::NeedsSignIn));
    let begun = visit.begin().await;
    let url = Url::parse(&begun.url).expect("a URL");
    let said: HashMap<_, _> = url.query_pairs().into_owned().collect();
    assert_eq!((said["code_challenge_method"].as_str(), said["client_id"].as_str()), ("S256", "c1"));
    assert_eq!((said["scope"].as_str(), said["redirect_uri"].as_str()), ("read", BACK));
    assert_eq!(said["resource"], visit.fake.url());
    visit.finish(&begun, &visit.back(&begun)).await.expect("signed in");
    assert_eq!(text(visit.call().await), "done");
    assert_eq!(names(&visit.with.list(&visit.server, Some(visit.person)).await), ["echo"]);
    assert_eq!(visit.calls_with("t1"), 1);
    let other = Some(Person::Profile(ProfileId::new()));
    assert_eq!(visit.with.list(&visit.server, other).await.trouble, Some(Trouble::NeedsSignIn));
}

#[tokio::test]
async fn a_token_that_is_refused_is_renewed_once_behind_the_lock() {
    let visit = Visit::signed_in().await;
    assert_eq!(text(visit.call().await), "done");
    visit.house.taken.store(99, Ordering::SeqCst);
    assert_eq!(text(visit.call().await), "done");
    assert_eq!((visit.calls_with("t1"), visit.calls_with("t2")), (2, 1));
    assert_eq!(visit.house.renewals.load(Ordering::SeqCst), 1);
    assert_eq!(visit.drawer.locked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_sign_in_that_can_not_be_renewed_is_forgotten_and_asked_for_again() {
    let visit = Visit::signed_in().await;
    assert_eq!(text(visit.call().await), "done");
    visit.house.taken.store(99, Ordering::SeqCst);
    visit.house.renews.store(false, Ordering::SeqCst);
    assert_eq!(visit.call().await, Err(CallFailure::NeedsSignIn));
    assert_eq!(visit.house.renewals.load(Ordering::SeqCst), 1, "a refused renewal is not tried again");
    assert!(visit.drawer.kept.lock().expect("a lock").is_empty());
    assert_eq!(visit.call().await, Err(CallFailure::NeedsSignIn));
    let begun = visit.begin().await;
    visit.finish(&begun, &visit.back(&begun)).await.expect("signed in");
    assert_eq!(text(visit.call().await), "done");
}

#[tokio::test]
async fn only_the_sign_in_that_began_can_end_and_only_from_its_issuer() {
    let visit = Visit::new().await;
    let begun = visit.begin().await;
    for back in [
        format!("{BACK}?code=abc&state=other&iss=http://{}", visit.fake.at),
        format!("{BACK}?code=abc&state={}&iss=https://evil.example", begun.state),
        format!("{BACK}?code=abc&state={}", begun.state),
        format!("{BACK}?nothing=1"),
    ] {
        let refused = visit.finish(&begun, &back).await;
        assert!(matches!(refused, Err(SignInError::NotThisOne)), "{back}: {refused:?}");
    }
    let said_no = format!("{BACK}?error=access_denied&error_description=No+thanks&state={}", begun.state);
    let refused = visit.finish(&begun, &said_no).await;
    assert!(matches!(&refused, Err(SignInError::Refused(why)) if why == "No thanks"), "{refused:?}");
    assert!(visit.drawer.kept.lock().expect("a lock").is_empty());
    // None of it used up the one that is meant.
    visit.finish(&begun, &visit.back(&begun)).await.expect("signed in");
}

#[tokio::test]
async fn what_is_kept_is_not_told_by_debugging() {
    let visit = Visit::signed_in().await;
    let kept = visit.drawer.kept.lock().expect("a lock").values().next().cloned().expect("a sign-in");
    assert!(kept.reveal().contains("t1") && !format!("{kept:?}").contains("t1"));
}
