//! The stream protocol and the driver under everything that can happen to them: crashes, takeovers, zombies, lost,
//! late and doubled pieces, a database that fails, people who hang up, readers cut anywhere.
//!
//! In the end every turn has ended once, every log is whole, and whoever followed holds what the database holds.

use super::cluster::Cluster;
use super::for_seeds;

#[test]
fn whoever_follows_ends_with_what_is_stored() {
    for_seeds(1_000, |seed| Cluster::new(seed).play());
}
