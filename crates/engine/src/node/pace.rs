//! How often things are done while a model speaks and beside the turns, and how long each may take.

use std::time::Duration;

use baton_core::turns::LEASE;

/// How often things are done while a model speaks.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Pieces after the first are sent at most this often.
    pub pieces: Duration,
    /// A call that takes longer has its tape kept about this often.
    pub checkpoints: Duration,
    /// What could not be stored is tried again after this, then after twice that, and so on.
    pub backoff: Duration,
    /// What is done beside the turns.
    pub watch: WatchPace,
}

impl Pace {
    pub const STEADY: Self = Self {
        pieces: Duration::from_millis(30),
        checkpoints: Duration::from_secs(1),
        backoff: Duration::from_millis(100),
        watch: WatchPace::STEADY,
    };
    /// Everything at once, for tests.
    #[cfg(test)]
    pub const HASTY: Self = Self {
        pieces: Duration::ZERO,
        checkpoints: Duration::ZERO,
        backoff: Duration::ZERO,
        watch: WatchPace::STEADY,
    };
}

/// How often a node does what it does beside its turns, and how long that may take.
#[derive(Debug, Clone, Copy)]
pub struct WatchPace {
    /// Between two renewals.
    pub renew: Duration,
    /// A renewal without an answer is given up after this. The store gives up a little earlier and closes the connection.
    pub renew_limit: Duration,
    /// The lease is taken for lost this long after the last good renewal began.
    pub hold: Duration,
    /// Between two looks for turns of dead nodes.
    pub claim: Duration,
    /// Between two looks at anything else.
    pub look: Duration,
    /// Any other statement without an answer is given up after this.
    pub limit: Duration,
}

impl WatchPace {
    pub const STEADY: Self = Self {
        renew: Duration::from_secs(1),
        renew_limit: Duration::from_millis(1_100),
        hold: Duration::from_secs(4),
        claim: Duration::from_millis(500),
        look: Duration::from_secs(2),
        limit: Duration::from_secs(6),
    };
}

/// Two slow renewals in a row drop nothing: the third has time for an answer.
const _: () = {
    let pace = WatchPace::STEADY;
    let third = pace.renew.as_millis() + 2 * pace.renew_limit.as_millis();
    assert!(third + 500 <= pace.hold.as_millis());
};

/// Who can't renew stops before the database gives its turns to others.
const _: () = assert!(WatchPace::STEADY.hold.as_millis() + 1_000 <= LEASE.as_millis());
