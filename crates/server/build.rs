//! Makes sure the folder of the web app exists, so that the server builds before the web app does, and that a
//! release build embeds the app as it is now. Debug builds read it from disk.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
    std::fs::create_dir_all("../../web/dist")
}
