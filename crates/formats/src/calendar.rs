//! Writes calendars (iCalendar, RFC 5545): days on which something is due, for programs that read them now and then.

use chrono::{DateTime, NaiveDate, Utc};

/// A line has at most so many bytes; what is longer goes on in the next, which begins with a space.
const LINE: usize = 75;

/// Something on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// By which a program knows it again.
    pub uid: String,
    pub day: NaiveDate,
    pub summary: String,
    pub description: Option<String>,
    pub category: Option<String>,
    /// 1 is the highest, 9 the lowest.
    pub priority: Option<u8>,
    pub changed_at: DateTime<Utc>,
    /// Grows with every change.
    pub sequence: i64,
}

/// A calendar as text. The same events give the same text.
pub fn write(name: &str, events: &[Event]) -> String {
    let mut lines = Lines::default();
    lines.plain("BEGIN:VCALENDAR");
    lines.plain("VERSION:2.0");
    lines.plain("PRODID:-//Baton//Projects//EN");
    lines.plain("CALSCALE:GREGORIAN");
    lines.plain("METHOD:PUBLISH");
    lines.text("NAME", name);
    lines.text("X-WR-CALNAME", name);
    lines.plain("REFRESH-INTERVAL;VALUE=DURATION:PT1H");
    lines.plain("X-PUBLISHED-TTL:PT1H");
    for event in events {
        lines.event(event);
    }
    lines.plain("END:VCALENDAR");
    lines.0
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn event(&mut self, event: &Event) {
        let at = event.changed_at.format("%Y%m%dT%H%M%SZ");
        self.plain("BEGIN:VEVENT");
        self.text("UID", &event.uid);
        self.plain(&format!("DTSTAMP:{at}"));
        self.plain(&format!("LAST-MODIFIED:{at}"));
        self.plain(&format!("SEQUENCE:{}", event.sequence));
        self.plain(&format!("DTSTART;VALUE=DATE:{}", event.day.format("%Y%m%d")));
        // The first day that is no longer part of it.
        if let Some(end) = event.day.succ_opt() {
            self.plain(&format!("DTEND;VALUE=DATE:{}", end.format("%Y%m%d")));
        }
        self.text("SUMMARY", &event.summary);
        if let Some(description) = &event.description {
            self.text("DESCRIPTION", description);
        }
        if let Some(category) = &event.category {
            self.text("CATEGORIES", category);
        }
        if let Some(priority) = event.priority {
            self.plain(&format!("PRIORITY:{priority}"));
        }
        // Who has something due is not busy all day.
        self.plain("TRANSP:TRANSPARENT");
        self.plain("END:VEVENT");
    }

    fn text(&mut self, name: &str, value: &str) {
        self.plain(&format!("{name}:{}", escaped(value)));
    }

    fn plain(&mut self, line: &str) {
        let mut begin = 0;
        while begin < line.len() {
            let space = usize::from(begin > 0);
            let end = line.floor_char_boundary(begin + LINE - space);
            if space > 0 {
                self.0.push(' ');
            }
            self.0.push_str(&line[begin..end]);
            self.0.push_str("\r\n");
            begin = end;
        }
    }
}

/// Text may hold neither line breaks nor the signs that divide values.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push_str("\\n"),
            '\t' => escaped.push('\t'),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
