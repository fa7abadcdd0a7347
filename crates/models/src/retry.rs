//! When a failed call is made again, and after how long. A call is made again only before any event was given out.

use std::time::Duration;

use baton_core::models::ModelError;
use chrono::{DateTime, Utc};
use reqwest::header::HeaderMap;

use crate::errors::{Failure, Retry};

const TRIES: u32 = 3;
/// The longest wait: if a vendor asks for a longer one, the call fails at once, because a person is waiting.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How long to wait before the next try, or the error to give up with. `tries` is how many were made.
pub fn wait_after(
    failure: &Failure,
    tries: u32,
    backoff: Duration,
    jitter: f64,
) -> Result<Duration, ModelError> {
    let asked = match failure.retry {
        Retry::Never => return Err(failure.error.clone()),
        Retry::Soon => Duration::ZERO,
        Retry::After(asked) if asked > LONGEST_WAIT => return Err(ModelError::Overloaded),
        Retry::After(asked) => asked,
    };
    if tries >= TRIES {
        return Err(failure.error.clone());
    }
    // Spread over half to all of it, on top of what was asked: those refused together do not come back together.
    let wait = backoff.mul_f64(f64::from(1_u32 << (tries - 1)) * (0.5 + 0.5 * jitter));
    Ok(wait.max(asked + wait / 10))
}

/// What the answer's headers say about trying again.
pub fn with_headers(mut failure: Failure, headers: &HeaderMap, now: DateTime<Utc>) -> Failure {
    if failure.retry == Retry::Never {
        return failure;
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if text("x-should-retry") == Some("false") {
        failure.retry = Retry::Never;
        return failure;
    }
    let asked = text("retry-after-ms")
        .and_then(|ms| seconds(ms, 0.001))
        .or_else(|| text("retry-after").and_then(|after| seconds(after, 1.0).or_else(|| until(after, now))));
    if let Some(asked) = asked {
        failure.retry = Retry::After(asked);
    }
    failure
}

fn seconds(text: &str, unit: f64) -> Option<Duration> {
    text.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
}

fn until(date: &str, now: DateTime<Utc>) -> Option<Duration> {
    let date = DateTime::parse_from_rfc2822(date).ok()?;
    Some((date.with_timezone(&Utc) - now).to_std().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderName;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    fn overloaded(retry: Retry) -> Failure {
        Failure::new(ModelError::Overloaded, retry, "")
    }

    #[test]
    fn headers_say_when() {
        let now = "2026-03-01T10:00:00Z".parse().unwrap();
        let after = |ms| Retry::After(Duration::from_millis(ms));
        let table = [
            (headers(&[]), Retry::Soon),
            (headers(&[("retry-after", "2")]), after(2_000)),
            (headers(&[("retry-after", "1.5")]), after(1_500)),
            (headers(&[("retry-after-ms", "250"), ("retry-after", "9")]), after(250)),
            (headers(&[("retry-after", "Sun, 01 Mar 2026 10:00:05 GMT")]), after(5_000)),
            (headers(&[("retry-after", "Sun, 01 Mar 2026 09:00:00 GMT")]), after(0)),
            (headers(&[("retry-after", "soon")]), Retry::Soon),
            (headers(&[("retry-after", "-1")]), Retry::Soon),
            (headers(&[("x-should-retry", "false"), ("retry-after", "1")]), Retry::Never),
            (headers(&[("x-should-retry", "true")]), Retry::Soon),
        ];
        for (headers, expected) in table {
            assert_eq!(with_headers(overloaded(Retry::Soon), &headers, now).retry, expected, "{headers:?}");
        }
        let never = with_headers(overloaded(Retry::Never), &headers(&[("retry-after", "1")]), now);
        assert_eq!(never.retry, Retry::Never);
    }

    #[test]
    fn waits_grow_and_end() {
        let backoff = Duration::from_millis(500);
        let wait = |retry, tries, jitter| wait_after(&overloaded(retry), tries, backoff, jitter);
        let ms = Duration::from_millis;
        assert_eq!(wait(Retry::Soon, 1, 0.0), Ok(ms(250)));
        assert_eq!(wait(Retry::Soon, 1, 1.0), Ok(ms(500)));
        assert_eq!(wait(Retry::Soon, 2, 1.0), Ok(ms(1_000)));
        assert_eq!(wait(Retry::Soon, 3, 1.0), Err(ModelError::Overloaded));
        assert_eq!(wait(Retry::Never, 1, 1.0), Err(ModelError::Overloaded));
        assert_eq!(wait(Retry::After(ms(2_000)), 1, 1.0), Ok(ms(2_050)));
        assert_eq!(wait(Retry::After(ms(31_000)), 1, 1.0), Err(ModelError::Overloaded));
        let lost = Failure::new(ModelError::Unreachable, Retry::After(ms(60_000)), "");
        assert_eq!(wait_after(&lost, 1, backoff, 0.0), Err(ModelError::Overloaded));
    }
}
