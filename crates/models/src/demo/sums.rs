//! A little arithmetic: "what is 12 * 7.5", "15% of 80".

use super::clauses::plain;
use super::words::words;

/// The expression and its value, where the text asks for one.
pub fn sum(text: &str) -> Option<(String, f64)> {
    reckoned(text).filter(|(_, value)| value.is_finite())
}

/// A sum that was asked for and has no value, such as ten divided by nothing.
pub fn undefined(text: &str) -> Option<String> {
    let (expression, _) = reckoned(text).filter(|(_, value)| !value.is_finite())?;
    Some(format!("{expression} has no value: it divides by zero, or is too large to write down."))
}

fn reckoned(text: &str) -> Option<(String, f64)> {
    if text.len() > 400 {
        return None;
    }
    let lower = text.to_lowercase();
    let said = [
        ("divided by", "/"),
        ("multiplied by", "*"),
        ("times", "*"),
        ("plus", "+"),
        ("minus", "-"),
        ("% of", "% *"),
        ("×", "*"),
        ("÷", "/"),
    ]
    .iter()
    .fold(lower, |text, (words, sign)| text.replace(words, sign));
    let said = said.replace(',', "");
    let allowed = |c: char| {
        c.is_ascii_digit() || matches!(c, '+' | '-' | '*' | '/' | '^' | '(' | ')' | '.' | '%' | ' ')
    };
    let runs = said.split(|c: char| !allowed(c)).map(|run| run.trim().trim_end_matches('.'));
    let expression = runs.max_by_key(|run| run.len())?.trim();
    let numbers =
        expression.split(|c: char| !(c.is_ascii_digit() || c == '.')).filter(|part| !part.is_empty()).count();
    let signs = expression.contains(['+', '*', '/', '^', '%']) || expression.contains(" - ");
    let asks = ["what", "how", "calculate", "compute", "solve", "evaluate", "is"];
    let asked = words(text).iter().any(|word| asks.contains(&plain(&word.lower)));
    let alone = !said.contains(|c: char| c.is_alphabetic());
    if numbers < 2 || !signs || !(asked || alone) {
        return None;
    }
    let tokens: Vec<char> = expression.chars().filter(|c| *c != ' ').collect();
    let mut parser = Parser { tokens: &tokens, at: 0 };
    let value = parser.terms()?;
    (parser.at == tokens.len()).then(|| (expression.to_owned(), value))
}

struct Parser<'t> {
    tokens: &'t [char],
    at: usize,
}

impl Parser<'_> {
    fn next_is(&mut self, sign: char) -> bool {
        let is = self.tokens.get(self.at) == Some(&sign);
        self.at += usize::from(is);
        is
    }

    fn terms(&mut self) -> Option<f64> {
        let mut value = self.factors()?;
        loop {
            if self.next_is('+') {
                value += self.factors()?;
            } else if self.next_is('-') {
                value -= self.factors()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factors(&mut self) -> Option<f64> {
        let mut value = self.power()?;
        loop {
            if self.next_is('*') {
                value *= self.power()?;
            } else if self.next_is('/') {
                value /= self.power()?;
            } else {
                return Some(value);
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        if self.next_is('^') { Some(base.powf(self.power()?)) } else { Some(base) }
    }

    fn atom(&mut self) -> Option<f64> {
        if self.next_is('-') {
            return self.atom().map(|value| -value);
        }
        let value = if self.next_is('(') {
            let value = self.terms()?;
            self.next_is(')').then_some(value)?
        } else {
            let from = self.at;
            while self.tokens.get(self.at).is_some_and(|c| c.is_ascii_digit() || *c == '.') {
                self.at += 1;
            }
            self.tokens[from..self.at].iter().collect::<String>().parse().ok()?
        };
        Some(if self.next_is('%') { value / 100.0 } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_done_only_where_asked() {
        for (text, value) in [
            ("what is 12 * 7.5?", 90.0),
            ("What's 15% of 80", 12.0),
            ("how much is (2 + 3) × 4 divided by 2", 10.0),
            ("2^3^2", 512.0),
            ("calculate 1,000 - 1", 999.0),
        ] {
            assert_eq!(sum(text).map(|(_, value)| value), Some(value), "{text}");
        }
        for text in
            ["book 2026-07-17 for 6", "what is 1/0", "what is 5", "((((", "call 555-1234 - 5", "what is 2 +"]
        {
            assert_eq!(sum(text), None, "{text}");
        }
    }
}
