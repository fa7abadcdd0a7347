//! A workspace as an MCP server: what one token may do, as tools for other people's programs. The protocol itself is in
//! `tools/mcp/serve/`; here is what is offered (`workspace.rs`), and how it goes over HTTP (`http.rs`).

mod approvals;
mod ask;
mod follow;
mod handles;
pub mod http;
mod outcome;
mod workspace;
mod workspace_tools;

pub use workspace::Workspace;
