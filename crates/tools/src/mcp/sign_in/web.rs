//! Requests of a sign-in, through the guarded way out: a server names the addresses, so none of them is trusted.

use std::sync::Arc;
use std::time::Duration;

use http::header::LOCATION;
use http::{Method, Request, Response};
use rmcp::transport::auth::{
    OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRedirectPolicy, OAuthHttpRequest,
};
use url::Url;

use crate::outbound::{Outbound, OutboundError, read};

/// The most bytes of one answer.
const MAX_BYTES: usize = 1024 * 1024;
const MAX_REDIRECTS: usize = 3;
const TOTAL: Duration = Duration::from_secs(20);

pub(super) struct Web {
    out: Arc<Outbound>,
}

impl Web {
    pub(super) fn new(out: Arc<Outbound>) -> Self {
        Self { out }
    }

    async fn fetch(
        &self,
        request: Request<Vec<u8>>,
        redirects: OAuthHttpRedirectPolicy,
    ) -> Result<Response<Vec<u8>>, OAuthHttpClientError> {
        let (parts, body) = request.into_parts();
        let mut url = Url::parse(&parts.uri.to_string())?;
        for _ in 0..=MAX_REDIRECTS {
            let client = self.out.client(&url).await?;
            let sent = client.request(parts.method.clone(), url.clone()).headers(parts.headers.clone());
            let response = sent.body(body.clone()).send().await?;
            let follows = response.status().is_redirection()
                && redirects == OAuthHttpRedirectPolicy::Follow
                && parts.method == Method::GET;
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            if let Some(to) = to.filter(|_| follows) {
                url = url.join(to)?;
                continue;
            }
            let (status, headers) = (response.status(), response.headers().clone());
            let mut answer = Response::new(read(response, MAX_BYTES).await?.bytes);
            *answer.status_mut() = status;
            *answer.headers_mut() = headers;
            return Ok(answer);
        }
        Err(Box::new(OutboundError::Failed("too many redirects".into())))
    }
}

impl OAuthHttpClient for Web {
    fn execute(&self, asked: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let fetched = tokio::time::timeout(TOTAL, self.fetch(asked.request, asked.redirect_policy));
            fetched.await.unwrap_or_else(|_| Err(Box::new(OutboundError::Failed("it took too long".into()))))
        })
    }
}
