//! Attached files that were inlined in a message: telling them from what the person wrote, and saying what is in them.

use super::told;
use super::values::number;
use super::words::{join, shorten, words};

#[derive(Debug, Clone, PartialEq)]
pub struct File {
    pub name: String,
    pub body: String,
}

const ENDINGS: &[&str] = &[
    "csv", "tsv", "txt", "md", "markdown", "json", "log", "yaml", "yml", "xml", "html", "toml", "sql", "ini",
    "py", "rs", "js", "ts",
];

/// What the person wrote, and the files in it. Files stand in a tag with a name, or under a line that names them.
pub fn split(text: &str) -> (String, Vec<File>) {
    if let Some(file) = whole(text) {
        return (String::new(), vec![file]);
    }
    let mut written = String::new();
    let mut files = Vec::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if let Some((name, tag, rest)) = tagged(line) {
            let closing = format!("</{tag}");
            let mut body = rest.split(&closing).next().unwrap_or_default().to_owned();
            let mut closed = rest.contains(&closing);
            while !closed && let Some(next) = lines.next() {
                closed = next.contains(&closing);
                body.push_str(next.split(&closing).next().unwrap_or_default());
            }
            let body = body.trim_matches('\n').to_owned();
            files.push(File { name, body });
        } else if let Some(name) = headed(line)
            && lines.peek().is_some_and(|next| !next.trim().is_empty())
        {
            let fenced = lines.peek().is_some_and(|next| next.trim_start().starts_with("```"));
            if fenced {
                lines.next();
            }
            let mut body = String::new();
            while let Some(next) = lines.peek() {
                if (fenced && next.trim_start().starts_with("```")) || (!fenced && headed(next).is_some()) {
                    break;
                }
                body.push_str(next);
                lines.next();
            }
            if fenced {
                lines.next();
            }
            files.push(File { name, body: body.trim_matches('\n').to_owned() });
        } else {
            written.push_str(line);
        }
    }
    (written.trim().to_owned(), files)
}

/// A part that is one file, under `[Attached file plan.csv:]`.
fn whole(text: &str) -> Option<File> {
    let (head, body) = text.strip_prefix(told::FILE)?.split_once(']')?;
    let name = head.trim_end_matches(':').split(", which").next().unwrap_or(head);
    Some(File { name: name.to_owned(), body: body.trim_matches('\n').to_owned() })
}

/// `<file name="plan.csv">`: its name, the tag, and what stands on the line after it.
fn tagged(line: &str) -> Option<(String, &str, &str)> {
    let inner = line.trim_start().strip_prefix('<')?;
    let (head, rest) = inner.split_once('>')?;
    let (tag, attributes) = head.split_once(' ')?;
    let known = ["file", "attachment", "document", "attached_file", "attached-file"].contains(&tag);
    let (_, named) = attributes.split_once("name=").or_else(|| attributes.split_once("title="))?;
    let quote = named.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let name = named[1..].split(quote).next()?.to_owned();
    known.then_some((name, tag, rest))
}

/// `--- plan.csv ---`, `Attached file plan.csv (text/csv):`, `[plan.csv]`
fn headed(line: &str) -> Option<String> {
    let line = line.trim();
    if line.len() > 260 {
        return None;
    }
    let lower = line.to_lowercase();
    let marked = ["[", "#", "---", "===", "***", "file", "attach", "the file", "📎"]
        .iter()
        .any(|mark| lower.starts_with(mark));
    if !(marked || lower.ends_with(':')) {
        return None;
    }
    let around = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'));
    let names = line.split_whitespace().map(|token| token.trim_matches(around).trim_end_matches('.'));
    let is_file = |name: &&str| {
        name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && ENDINGS.contains(&ending.to_lowercase().as_str())
        })
    };
    names.into_iter().find(is_file).map(str::to_owned)
}

/// What a document calls itself in its first lines: "Vehicle registration certificate No. 12" is one. Lines such as
/// "Holder: Ana" say something else.
pub fn heading(body: &str) -> Option<String> {
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty()).take(5);
    lines.into_iter().find_map(|line| {
        let line = line.trim_start_matches(['#', '*', '=', '-', ' ']);
        let end =
            line.find(|c: char| c.is_ascii_digit() || matches!(c, ':' | ',' | ';' | '…' | '(' | '|' | '.'));
        if line[end.unwrap_or(line.len())..].starts_with(':') {
            return None;
        }
        let stops = ["no", "nr", "number", "valid", "expires", "issued", "of", "for", "until", "from"];
        let all = words(&line[..end.unwrap_or(line.len())]);
        let named: Vec<_> =
            all.iter().take_while(|word| !stops.contains(&word.lower.as_str())).take(6).collect();
        let (first, last) = (named.first()?, named.last()?);
        let text = &line[first.start..last.end()];
        (named.iter().any(|word| word.is_topic()) && text.chars().count() <= 60).then(|| text.to_lowercase())
    })
}

/// What is in a file, in a few lines.
pub fn describe(file: &File) -> String {
    let lines = file.body.lines().filter(|line| !line.trim().is_empty()).count();
    let lower = file.name.to_lowercase();
    let separated = lower.ends_with(".csv") || lower.ends_with(".tsv");
    if separated && let Some(table) = describe_table(&file.body) {
        return format!("**{}** is a table with {table}", file.name);
    }
    let start = file.body.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let counted = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
    match start {
        "" => format!("**{}** is empty or no longer kept.", file.name),
        _ => format!("**{}** has {counted} and begins with “{}”.", file.name, shorten(start, 120)),
    }
}

fn describe_table(body: &str) -> Option<String> {
    let mut lines = body.lines().filter(|line| !line.trim().is_empty());
    let header = lines.next()?;
    let separator = [',', ';', '\t'].into_iter().max_by_key(|c| header.matches(*c).count())?;
    let columns = cells(header, separator);
    let mut sums: Vec<Option<f64>> = vec![Some(0.0); columns.len()];
    let mut rows = 0;
    for line in lines {
        rows += 1;
        for (at, cell) in cells(line, separator).iter().enumerate().take(columns.len()) {
            let value = amount(cell.trim());
            sums[at] = match (sums[at], value) {
                (Some(sum), Some(value)) => Some(sum + value),
                (sum, None) if cell.trim().is_empty() => sum,
                _ => None,
            };
        }
    }
    let named: Vec<String> = columns.iter().map(|name| name.trim().to_owned()).collect();
    let totals: Vec<String> = named
        .iter()
        .zip(&sums)
        .filter_map(|(name, sum)| sum.filter(|_| rows > 0).map(|sum| format!("- {name}: {}", tidy(sum))))
        .collect();
    let counted = if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") };
    let head = format!("{counted} and {} columns: {}.", named.len(), join(&named, "and"));
    Some(if totals.is_empty() {
        head
    } else {
        format!("{head} Sums of the number columns:\n\n{}", totals.join("\n"))
    })
}

/// Most cells are plain digits; only the others need reading as people write.
fn amount(cell: &str) -> Option<f64> {
    let plain = cell.parse().ok().filter(|_| cell.ends_with(|c: char| c.is_ascii_digit()));
    plain.or_else(|| number(&cell.to_lowercase()).map(|(value, _)| value))
}

fn cells(line: &str, separator: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c == separator && !quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells
}

/// A number without the noise of floating point.
pub fn tidy(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_what_was_written() {
        for text in [
            "What is this?\n<file name=\"plan.csv\" type=\"text/csv\">\na,b\n1,2\n</file>",
            "What is this?\n\nAttached file plan.csv (text/csv):\n```\na,b\n1,2\n```",
            "What is this?\n--- plan.csv ---\na,b\n1,2\n",
            "What is this?\n[plan.csv]\na,b\n1,2",
        ] {
            let (written, files) = split(text);
            assert_eq!(written, "What is this?", "{text}");
            assert_eq!(files, [File { name: "plan.csv".into(), body: "a,b\n1,2".into() }], "{text}");
        }
        let (written, files) = split("[Attached file my notes:]\n# other.csv\nx");
        assert_eq!(
            (written.as_str(), files[0].name.as_str(), files[0].body.as_str()),
            ("", "my notes", "# other.csv\nx")
        );
        assert!(split("See plan.csv for more.\nThanks").1.is_empty());
    }

    #[test]
    fn documents_say_what_they_are() {
        for (body, expected) in [
            ("Vehicle registration certificate\nPlate: AB12345", Some("vehicle registration certificate")),
            ("# Insurance policy No. 77\nx", Some("insurance policy")),
            ("Holder: Ana\nDriving licence, class B", Some("driving licence")),
            ("Permit … Valid until 2026-12-24", Some("permit")),
            ("2026-12-24\nHolder: Ana", None),
            ("", None),
        ] {
            assert_eq!(heading(body).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn tables_are_summed_by_number_column() {
        let body = "item;price;note\n\"Tea; green\";1,50;x\nCake;€2.25;\n".to_owned();
        let said = describe(&File { name: "b.csv".into(), body });
        assert!(said.contains("2 rows and 3 columns: item, price and note."), "{said}");
        assert!(said.contains("- price: 3.75") && !said.contains("- item"), "{said}");
    }
}
