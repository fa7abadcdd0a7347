//! Headers on every answer: what the page may load, and that API answers must not be cached by others.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use baton_core::store::Pieces;
use futures::TryStreamExt;

use super::ApiError;
use crate::app::SharedApp;

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
    frame-ancestors 'none'; base-uri 'none'";

/// A file that a browser saves under a name. If its pieces end early so does the answer, and a client sees that it is not whole.
pub fn json_file(name: &'static str, pieces: Pieces) -> Response {
    let pieces = pieces
        .inspect_err(move |error| tracing::error!(%error, name, "a file could not be written to its end"));
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let value = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    headers.extend(value.into_iter().map(|value| (header::CONTENT_DISPOSITION, value)));
    response
}

/// The same for a name that a person chose. Old clients read the plain form; others the encoded one, which carries every
/// script (RFC 6266).
pub fn download_as(name: &str) -> Result<HeaderValue, ApiError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._- ".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    let value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    HeaderValue::from_str(&value).map_err(ApiError::internal)
}

pub async fn security_headers(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()");
    if is_api {
        set(header::CACHE_CONTROL, "no-store");
    }
    if app.settings.secure_cookies() {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_breaks_out_of_its_header() {
        for (name, plain, encoded) in [
            ("plan.csv", "plan.csv", "plan.csv"),
            ("Grüße 日本.txt", "Gr__e __.txt", "Gr%C3%BC%C3%9Fe%20%E6%97%A5%E6%9C%AC.txt"),
            ("a\"; x=\"b\\", "a__ x__b_", "a%22%3B%20x%3D%22b%5C"),
            ("../x%41\r\nSet-Cookie: a", ".._x_41__Set-Cookie_ a", "..%2Fx%2541%0D%0ASet-Cookie%3A%20a"),
        ] {
            let value = download_as(name).expect("a header");
            let expected = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
            assert_eq!(value.to_str().ok(), Some(expected.as_str()));
        }
    }
}
