//! Transactions as banks and other programs export them: their fields, with the names that headers have for them in
//! several languages, and a record of these fields as a [`Transaction`].

use super::field::{Field, FieldType};
use super::value::{Record, Value};
use crate::money::{self, Currency};
use crate::statement::{Foreign, Transaction};

/// The fields of a transaction. A caller with a description of its own can use that in their place.
pub fn fields() -> Vec<Field> {
    use FieldType::{Date, Movement, Text};
    vec![
        Field::new("date", "Date", Date).required().synonyms(&[
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
        ]),
        Field::new("value_date", "Value date", Date).synonyms(&[
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
        ]),
        Field::new("amount", "Amount", Movement).required().synonyms(&[
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
        ]),
        Field::new("currency", "Currency", FieldType::Currency).synonyms(&[
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
        ]),
        Field::new("payee", "Payee", Text).synonyms(&[
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
        ]),
        Field::new("memo", "Memo", Text).synonyms(&[
            "description",
            "details",
            "narrative",
            "note",
            "notes",
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
        ]),
        Field::new("reference", "Reference", Text).synonyms(&[
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
        ]),
        Field::new("source_id", "Transaction ID", Text).synonyms(&[
            "id",
            "fitid",
            "transaction id",
            "transaction reference",
            "transactionid",
            "unique id",
            "bank reference",
            "volgnr",
        ]),
        Field::new("category", "Category", Text).synonyms(&[
            "kategorie",
            "categorie",
            "categoria",
            "categoria principal",
        ]),
        Field::new("counterparty_iban", "Counterparty IBAN", Text).synonyms(&[
            "iban",
            "counterparty account",
            "kontonummer iban",
            "iban zahlungsbeteiligter",
            "iban contrepartie",
            "tegenrekening",
            "tegenrekening iban bban",
            "account number",
        ]),
        Field::new("foreign_amount", "Foreign amount", FieldType::Number).synonyms(&[
            "original amount",
            "amount in foreign currency",
            "fremdwahrungsbetrag",
            "betrag in fremdwahrung",
        ]),
        Field::new("foreign_currency", "Foreign currency", Text).synonyms(&[
            "original currency",
            "fremdwahrung",
            "type foreign currency",
            "foreign currency code",
        ]),
        Field::new("rate", "Exchange rate", FieldType::Number).synonyms(&[
            "wechselkurs",
            "kurs",
            "fx rate",
            "rate",
        ]),
        Field::new("account", "Account", Text).synonyms(&[
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
        ]),
    ]
}

/// A record of [`fields`], or of fields with the same names. None without a date or an amount.
pub fn transaction(record: &Record, fields: &[Field]) -> Option<Transaction> {
    let get = |name: &str| record.get(fields, name);
    let text = |name: &str| match get(name) {
        Some(Value::Text(text) | Value::Choice(text)) => Some(text.clone()),
        _ => None,
    };
    let date = |name: &str| match get(name) {
        Some(Value::Date(date)) => Some(*date),
        _ => None,
    };
    let Some(&Value::Money { amount, currency }) = get("amount") else { return None };
    let foreign = match (get("foreign_amount"), text("foreign_currency")) {
        (Some(Value::Number(number)), Some(code)) => {
            let currency = Currency::parse(&code).filter(|other| *other != currency);
            let amount = currency
                .and_then(|currency| money::parse_exact(&number.to_string(), currency).ok())
                .map(|exact| exact.minor);
            let rate = match get("rate") {
                Some(Value::Number(rate)) => Some(rate.to_string()),
                _ => None,
            };
            currency.map(|currency| Foreign { amount, currency, rate })
        }
        _ => None,
    };
    Some(Transaction {
        source_id: text("source_id"),
        value_date: date("value_date"),
        payee: text("payee"),
        memo: text("memo"),
        reference: text("reference"),
        category: text("category"),
        counterparty_iban: text("counterparty_iban"),
        foreign,
        ..Transaction::new(record.line, date("date")?, amount, currency)
    })
}
