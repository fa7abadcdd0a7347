//! What headers of files call the fields of a transaction, in several languages: as banks and other programs write them, in
//! small letters and without accents.

pub const BOOKED_ON: &[&str] = &[
    "booking date",
    "posted",
    "posting date",
    "post date",
    "transaction date",
    "trans date",
    "started date",
    "completed date",
    "buchungstag",
    "buchungsdatum",
    "buchung",
    "datum",
    "date operation",
    "date de l operation",
    "date comptable",
    "fecha",
    "fecha operacion",
    "fecha contable",
    "data",
    "data operazione",
    "data contabile",
    "boekdatum",
    "dato",
    "bokforingsdag",
    "data transakcji",
    "data operacji",
    "booked",
];

pub const VALUE_ON: &[&str] = &[
    "value date",
    "value",
    "valuta",
    "valutadatum",
    "wertstellung",
    "wertstellungstag",
    "date de valeur",
    "date valeur",
    "fecha valor",
    "data valuta",
    "rentedatum",
    "valutadag",
];

pub const AMOUNT: &[&str] = &[
    "amount in account currency",
    "transaction amount",
    "betrag",
    "umsatz",
    "montant",
    "importe",
    "importo",
    "bedrag",
    "belopp",
    "belob",
    "kwota",
    "valor",
    "sum",
    "net amount",
    "net",
];

pub const CURRENCY: &[&str] = &[
    "account currency",
    "wahrung",
    "waehrung",
    "devise",
    "moneda",
    "divisa",
    "munt",
    "valuta code",
    "waluta",
    "ccy",
];

pub const PAYEE: &[&str] = &[
    "name",
    "counterparty",
    "merchant",
    "beneficiary",
    "recipient",
    "sender or recipient",
    "paid to",
    "auftraggeber empfanger",
    "auftraggeber",
    "empfanger",
    "beguenstigter zahlungspflichtiger",
    "name zahlungsbeteiligter",
    "zahlungsempfanger",
    "zahlungsempfanger in",
    "beneficiaire",
    "tiers",
    "beneficiario",
    "naam",
    "naam tegenpartij",
    "tegenpartij",
    "mottagare",
    "partner name",
    "payer",
];

pub const MEMO: &[&str] = &[
    "description",
    "details",
    "narrative",
    "purpose",
    "verwendungszweck",
    "buchungstext",
    "libelle",
    "concepto",
    "descripcion",
    "descrizione",
    "causale",
    "omschrijving",
    "mededelingen",
    "text",
    "tekst",
    "opis",
    "transaction description",
    "payment reference",
];

pub const REFERENCE: &[&str] = &[
    "ref",
    "reference number",
    "check number",
    "cheque number",
    "check",
    "kundenreferenz",
    "referenz",
    "referencia",
    "riferimento",
    "kenmerk",
    "betalingskenmerk",
    "end to end id",
];

pub const SOURCE_ID: &[&str] = &[
    "id",
    "transaction id",
    "fitid",
    "transaction reference",
    "transactionid",
    "unique id",
    "bank reference",
    "volgnr",
];

pub const CATEGORY_ID: &[&str] = &["kategorie", "categorie", "categoria", "categoria principal"];

pub const COUNTERPARTY_IBAN: &[&str] = &[
    "counterparty iban",
    "iban",
    "counterparty account",
    "kontonummer iban",
    "iban zahlungsbeteiligter",
    "iban contrepartie",
    "tegenrekening",
    "tegenrekening iban bban",
    "account number",
];

pub const FOREIGN_AMOUNT: &[&str] =
    &["original amount", "amount in foreign currency", "fremdwahrungsbetrag", "betrag in fremdwahrung"];

pub const FOREIGN_CURRENCY: &[&str] =
    &["original currency", "fremdwahrung", "type foreign currency", "foreign currency code"];

pub const FOREIGN_RATE: &[&str] = &["wechselkurs", "kurs", "fx rate", "rate"];

pub const ACCOUNT_ID: &[&str] = &[
    "account name",
    "account id",
    "own account",
    "konto",
    "auftragskonto",
    "compte",
    "cuenta",
    "conto",
    "rekening",
    "iban auftragskonto",
];
