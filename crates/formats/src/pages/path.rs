//! Paths within an import: always with `/`, never absolute, never upwards.

/// The path of a file in an archive or a folder, or why it is refused. None for what systems add themselves.
pub(super) fn checked(raw: &str) -> Result<Option<String>, &'static str> {
    let raw = raw.replace('\\', "/");
    let drive = raw.as_bytes().get(1) == Some(&b':') && raw.as_bytes()[0].is_ascii_alphabetic();
    if raw.starts_with('/') || drive {
        return Err("its path is absolute");
    }
    if raw.contains('\0') || raw.len() > 1_000 {
        return Err("its path is not one that we take");
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in raw.split('/') {
        match part.trim_end() {
            "" | "." => {}
            ".." => return Err("its path leads out of the import"),
            hidden if hidden.starts_with('.') || hidden == "__MACOSX" => return Ok(None),
            _ => parts.push(part),
        }
    }
    if parts.len() > 50 {
        return Err("its folders are too deep");
    }
    Ok((!parts.is_empty()).then(|| parts.join("/")))
}

/// Where a link in a file leads: a path within the import, or none if it leads out of it.
pub(super) fn resolved(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = match link.starts_with('/') {
        true => Vec::new(),
        false => from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect()),
    };
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// `%20` and its like to what they stand for; as it is where that is no text.
pub(super) fn unescaped(link: &str) -> String {
    let mut bytes = Vec::with_capacity(link.len());
    let mut rest = link.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits =
            after.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| link.to_owned())
}

pub(super) fn is_markdown(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("md" | "markdown" | "mdown" | "mdx"))
}

pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

pub(super) fn folder(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}
