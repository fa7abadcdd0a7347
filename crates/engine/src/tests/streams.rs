//! The stream protocol and the driver under everything that can happen to them: crashes, takeovers, drivers that lost
//! their turn, pieces that are lost, late or doubled, a database that fails, people who disconnect, readers that are
//! cut anywhere.
//!
//! In the end every turn has ended once, every log is whole, and every reader holds what the database holds.

use super::cluster::Cluster;
use super::for_seeds;

#[test]
fn whoever_follows_ends_with_what_is_stored() {
    for_seeds(1_000, |seed| Cluster::new(seed).play());
}
