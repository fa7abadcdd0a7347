//! The demo model: deterministic, without a vendor, and honest about what it is.
