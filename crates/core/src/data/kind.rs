//! What a description of a kind of data can say.

use super::areas::Area;

/// A kind of data. Its rows lie in a table of the same name, with `id`, `workspace_id`, `version`, `search_text`,
/// `created_at` and `updated_at` beside its fields.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in the database and in addresses: `transactions`.
    pub name: &'static str,
    /// `transaction`, as errors name it.
    pub one: &'static str,
    pub label: &'static str,
    pub area: Area,
    pub fields: &'static [Field],
    /// The field that names a row to people.
    pub title: &'static str,
    /// How rows are listed unless someone says otherwise.
    pub order: Order,
    /// Whether a deleted row stays in its table, marked by `deleted_at`, so that it can be restored and an import doesn't
    /// bring it back.
    pub keeps_deleted: bool,
    /// The most rows of one workspace.
    pub most: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub field: &'static str,
    pub direction: Direction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Rising,
    Falling,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// The column's name, also in the API: `booked_on`. Models see it as `bookedOn`.
    pub name: &'static str,
    pub label: &'static str,
    /// For models and for the API's readers.
    pub about: &'static str,
    pub of: FieldType,
    pub presence: Presence,
    pub is_searched: bool,
    pub is_sorted: bool,
    pub is_filtered: bool,
    /// Money that comes in or goes out: in files its sign may stand in a column of its own, or each side may have one.
    pub is_movement: bool,
    /// Set by the server alone, but a file may tell it.
    pub is_told_by_files: bool,
    /// Other names that headers of files have for it, in any language and case.
    pub synonyms: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Line {
        max: usize,
    },
    Prose {
        max: usize,
    },
    Day,
    /// An ISO 4217 code.
    Currency,
    /// In minor units of the currency that this field of the same row names.
    Money {
        currency: &'static str,
    },
    Number {
        least: i64,
        most: i64,
    },
    /// A decimal number as text, exact.
    Decimal,
    Flag,
    Choice(&'static [&'static str]),
    /// The id of a row of this kind, in the same workspace.
    Reference(&'static str),
    /// The id of a person who is a member of the workspace when it is set. It stays when they leave.
    Member,
    /// An id that names no row of a kind, and is only compared.
    Id,
}

/// Who sets a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Required,
    /// May be null.
    Optional,
    /// If left out, this, as JSON.
    Default(&'static str),
    /// By the server alone; nobody can send it.
    Derived,
    /// Required when a row is made, and then it stays.
    Fixed,
}

impl Field {
    pub const fn new(name: &'static str, label: &'static str, of: FieldType) -> Self {
        Self {
            name,
            label,
            about: "",
            of,
            presence: Presence::Optional,
            is_searched: false,
            is_sorted: false,
            is_filtered: false,
            is_movement: false,
            is_told_by_files: false,
            synonyms: &[],
        }
    }

    pub const fn line(name: &'static str, label: &'static str, max: usize) -> Self {
        Self::new(name, label, FieldType::Line { max })
    }

    pub const fn money(name: &'static str, label: &'static str) -> Self {
        Self::new(name, label, FieldType::Money { currency: "currency" })
    }

    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub const fn presence(self, presence: Presence) -> Self {
        Self { presence, ..self }
    }

    pub const fn required(self) -> Self {
        self.presence(Presence::Required)
    }

    pub const fn searched(self) -> Self {
        Self { is_searched: true, ..self }
    }

    pub const fn sorted(self) -> Self {
        Self { is_sorted: true, ..self }
    }

    pub const fn filtered(self) -> Self {
        Self { is_filtered: true, ..self }
    }

    pub const fn movement(self) -> Self {
        Self { is_movement: true, ..self }
    }

    pub const fn told_by_files(self) -> Self {
        Self { is_told_by_files: true, ..self }
    }

    pub const fn synonyms(self, synonyms: &'static [&'static str]) -> Self {
        Self { synonyms, ..self }
    }

    /// Whether a file can set it.
    pub fn is_in_files(&self) -> bool {
        self.presence != Presence::Derived || self.is_told_by_files
    }

    /// As models see it: `bookedOn`.
    pub fn camel_name(&self) -> String {
        let mut words = self.name.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| {
            let (begin, rest) = word.split_at(1.min(word.len()));
            name + &begin.to_ascii_uppercase() + rest
        })
    }
}

impl Kind {
    /// The names of fields that someone may set.
    pub fn settable(&self) -> impl Iterator<Item = &'static str> {
        let open = self.fields.iter().filter(|field| field.presence != Presence::Derived);
        open.map(|field| field.name)
    }

    /// Whether there can be so many rows that they are searched by an index of words, and no longer by reading them all.
    pub fn is_searched_by_words(&self) -> bool {
        self.most > 100_000
    }

    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
