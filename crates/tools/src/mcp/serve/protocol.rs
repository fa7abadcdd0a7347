//! The names and numbers of the protocol.

/// How a client speaks: it decides what every request has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// After an `initialize` that this server has forgotten: 2025-11-25 and earlier.
    Initialized,
    /// Each request says all there is to know, in its `_meta`: since 2026-07-28.
    Stateless,
}

/// The newest first.
pub const SUPPORTED: [&str; 3] = [STATELESS, "2025-11-25", "2025-06-18"];
pub const STATELESS: &str = "2026-07-28";

/// The version that a client gets which asks for one that nobody knows.
pub const NEWEST_INITIALIZED: &str = "2025-11-25";

pub fn is_initialized(version: &str) -> bool {
    version != STATELESS && SUPPORTED.contains(&version)
}

pub const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
pub const PROGRESS_TOKEN: &str = "progressToken";

/// The extension by which a call is answered with a handle, and its result is asked for.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

pub const VERSION_HEADER: &str = "mcp-protocol-version";
pub const METHOD_HEADER: &str = "mcp-method";
pub const NAME_HEADER: &str = "mcp-name";
pub const SESSION_HEADER: &str = "mcp-session-id";

/// Methods whose results a client may keep, and for how long.
pub const CACHEABLE: [&str; 6] = [
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];
pub const KEPT_FOR_MS: u64 = 60_000;
