//! What a kind of data has for fields, as far as reading a CSV of it needs to know.

/// One field of a kind of data. The caller describes its kind by a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What mappings and records call it.
    pub name: String,
    /// What people call it.
    pub label: String,
    pub of: FieldType,
    /// A row without it is refused.
    pub required: bool,
    /// Looked for only in files that Baton wrote: elsewhere a column of this name means something else.
    pub own_files_only: bool,
    /// Looked for only in files of others: ours tell it by another field.
    pub other_files_only: bool,
    /// Other names that headers have for it, in any language and case; name and label need not be among them.
    pub synonyms: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    Text,
    Date,
    /// An ISO 4217 code: the currency of the row's amounts.
    Currency,
    Money,
    /// Money that comes in or goes out: its sign may be in a column of its own, or it may have a column for each.
    Movement,
    Number,
    Bool,
    /// One of these, whatever the case.
    Choice(Vec<String>),
}

impl Field {
    pub fn new(name: &str, label: &str, of: FieldType) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            of,
            required: false,
            own_files_only: false,
            other_files_only: false,
            synonyms: Vec::new(),
        }
    }

    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub fn own_files_only(mut self) -> Self {
        self.own_files_only = true;
        self
    }

    pub fn other_files_only(mut self) -> Self {
        self.other_files_only = true;
        self
    }

    pub fn synonyms(mut self, synonyms: &[&str]) -> Self {
        self.synonyms.extend(synonyms.iter().map(|&synonym| synonym.to_owned()));
        self
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        [self.name.as_str(), self.label.as_str()].into_iter().chain(self.synonyms.iter().map(String::as_str))
    }

    pub(super) fn is_money(&self) -> bool {
        matches!(self.of, FieldType::Money | FieldType::Movement)
    }
}
