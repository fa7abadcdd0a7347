//! The results: a table that can be pasted into the README, and the same as lines of JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;

#[derive(Debug, Clone)]
pub struct Figure {
    part: &'static str,
    name: String,
    unit: &'static str,
    baton: f64,
    direct: Option<f64>,
    goal: Option<Goal>,
}

#[derive(Debug, Clone, Copy)]
enum Goal {
    Most(f64),
    Least(f64),
    /// Times what the direct call takes.
    MostTimes(f64),
    LeastTimes(f64),
}

impl Figure {
    pub fn new(part: &'static str, name: impl Into<String>, unit: &'static str, baton: f64) -> Self {
        Self { part, name: name.into(), unit, baton, direct: None, goal: None }
    }

    /// What calling the model directly gave in the same run.
    pub fn beside(self, direct: f64) -> Self {
        Self { direct: Some(direct), ..self }
    }

    pub fn at_most(self, goal: f64) -> Self {
        Self { goal: Some(Goal::Most(goal)), ..self }
    }

    pub fn at_least(self, goal: f64) -> Self {
        Self { goal: Some(Goal::Least(goal)), ..self }
    }

    pub fn at_most_times(self, goal: f64) -> Self {
        Self { goal: Some(Goal::MostTimes(goal)), ..self }
    }

    pub fn at_least_times(self, goal: f64) -> Self {
        Self { goal: Some(Goal::LeastTimes(goal)), ..self }
    }

    fn ratio(&self) -> Option<f64> {
        self.direct.filter(|direct| *direct > 0.0).map(|direct| self.baton / direct)
    }

    fn is_met(&self) -> Option<bool> {
        match self.goal? {
            Goal::Most(most) => Some(self.baton <= most),
            Goal::Least(least) => Some(self.baton >= least),
            Goal::MostTimes(most) => self.ratio().map(|ratio| ratio <= most),
            Goal::LeastTimes(least) => self.ratio().map(|ratio| ratio >= least),
        }
    }

    fn goal_text(&self) -> String {
        match self.goal {
            Some(Goal::Most(0.0)) => "0".to_owned(),
            Some(Goal::Most(most)) => format!("≤ {} {}", rounded(most), self.unit),
            Some(Goal::Least(least)) => format!("≥ {} {}", rounded(least), self.unit),
            Some(Goal::MostTimes(most)) => format!("≤ {most} ×"),
            Some(Goal::LeastTimes(least)) => format!("≥ {} ×", rounded(least)),
            None => String::new(),
        }
    }

    fn cells(&self) -> [String; 6] {
        [
            self.name.clone(),
            format!("{} {}", rounded(self.baton), self.unit),
            self.direct.map_or(String::new(), |direct| format!("{} {}", rounded(direct), self.unit)),
            self.ratio().map_or(String::new(), |ratio| format!("{} ×", rounded(ratio))),
            self.goal_text(),
            self.is_met().map_or("", |is_met| if is_met { "met" } else { "missed" }).to_owned(),
        ]
    }
}

const TITLES: [&str; 6] = ["figure", "Baton", "direct", "ratio", "goal", ""];

/// Prints each part as it comes, and keeps all of it.
#[derive(Default)]
pub struct Report {
    figures: Vec<Figure>,
}

impl Report {
    pub fn add(&mut self, title: &str, figures: Vec<Figure>) {
        println!("\n### {title}\n");
        print!("{}", table(&figures));
        self.figures.extend(figures);
    }

    /// One line of JSON per figure.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = BufWriter::new(
            File::create(path).with_context(|| format!("could not write {}", path.display()))?,
        );
        for figure in &self.figures {
            let line = json!({ "part": figure.part, "figure": figure.name, "unit": figure.unit,
                "baton": figure.baton, "direct": figure.direct, "ratio": figure.ratio(),
                "goal": figure.goal_text(), "met": figure.is_met() });
            writeln!(file, "{line}")?;
        }
        Ok(file.flush()?)
    }
}

fn table(figures: &[Figure]) -> String {
    let rows: Vec<[String; 6]> = figures.iter().map(Figure::cells).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([TITLES[column].len(), 3]).max().unwrap_or(3)
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |cells: &[String; 6]| {
        let cells = cells.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 5 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule: [String; 6] = std::array::from_fn(|column| match column {
        0 | 5 => "-".repeat(widths[column]),
        _ => format!("{}:", "-".repeat(widths[column] - 1)),
    });
    let mut text = line(&TITLES.map(str::to_owned)) + &line(&rule);
    rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

/// Three digits that count.
fn rounded(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        ..0.1 => format!("{value:.3}"),
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Times in order, and what share of them is below what.
pub struct Times(Vec<Duration>);

impl Times {
    pub fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// In milliseconds.
    pub fn at(&self, share: f64) -> f64 {
        let Some(last) = self.0.len().checked_sub(1) else { return f64::NAN };
        self.0[(last as f64 * share).round() as usize].as_secs_f64() * 1e3
    }
}

pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_met_or_missed() {
        let figure = || Figure::new("part", "name", "ms", 3.0);
        assert_eq!(figure().is_met(), None);
        assert_eq!(figure().at_most(3.0).is_met(), Some(true));
        assert_eq!(figure().at_least(3.5).is_met(), Some(false));
        assert_eq!(figure().beside(2.0).at_most_times(1.4).is_met(), Some(false));
        let text = table(&[figure().beside(2.0).at_most_times(1.5)]);
        assert!(text.contains("| name   | 3.00 ms | 2.00 ms | 1.50 × | ≤ 1.5 × | met |"), "{text}");
    }

    #[test]
    fn shares_of_times() {
        let times = Times::new((1..=101).rev().map(Duration::from_millis).collect());
        assert_eq!((times.at(0.0), times.at(0.5), times.at(0.99), times.at(1.0)), (1.0, 51.0, 100.0, 101.0));
    }
}
