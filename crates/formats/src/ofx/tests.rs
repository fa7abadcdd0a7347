use std::io::Cursor;

use super::*;
use crate::statement::{self, Activity, Statement, Status};

fn statements(ofx: &str) -> Vec<Statement> {
    statement::collect(read(Cursor::new(ofx), None).unwrap()).unwrap()
}

const SGML: &str = "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD\n\
<BANKACCTFROM><BANKID>1<ACCTID>42<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n\
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250131120000[-5:EST]<TRNAMT>-12.50<FITID>a1<CHECKNUM>0<NAME>AT&T &amp; Co<MEMO>\n\
<CURRENCY><CURRATE>1.00<CURSYM>USD</CURRENCY></STMTTRN>\n\
<STMTTRN><DTPOSTED>20250132<TRNAMT>1<FITID>a2</STMTTRN>\n\
<STMTTRN><DTPOSTED>20250131<TRNAMT>x1<FITID>a3</STMTTRN>\n\
<STMTTRN><DTPOSTED>20250131<TRNAMT>100,00<FITID>a4<PAYEE><NAME>Bo<CITY>X</PAYEE><INTU.XXX>1<ORIGCURRENCY><CURRATE>1.1<CURSYM>EUR</ORIGCURRENCY></STMTTRN>\n\
</BANKTRANLIST><LEDGERBAL><BALAMT>99.01<DTASOF>20250131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>";

#[test]
fn elements_need_no_ends_and_bad_rows_stop_nothing() {
    let [statement] = statements(SGML).try_into().unwrap();
    let account = &statement.account;
    assert_eq!(
        (account.id.as_deref(), account.kind.as_deref(), account.bank.as_deref()),
        (Some("42"), Some("CHECKING"), Some("1"))
    );
    let [first, second] = statement.transactions.as_slice() else { panic!("{:?}", statement.transactions) };
    assert_eq!((first.amount, first.payee.as_deref(), first.line), (-1_250, Some("AT&T & Co"), 6));
    assert_eq!(
        (first.booked.to_string().as_str(), &first.reference, &first.memo),
        ("2025-01-31", &None, &None)
    );
    assert_eq!((second.amount, second.payee.as_deref()), (10_000, Some("Bo")));
    assert_eq!(second.foreign.as_ref().unwrap().rate.as_deref(), Some("1.1"));
    let refused: Vec<_> = statement.refused.iter().map(|r| (r.line, r.reason.as_str())).collect();
    assert_eq!(refused, [(8, "“20250132” is not a date"), (9, "the amount “x1” is not an amount")]);
    let closing = statement.closing.unwrap();
    assert_eq!((closing.amount, closing.date.unwrap().to_string().as_str()), (9_901, "2025-01-31"));
}

#[test]
fn elements_that_we_do_not_know_hide_nothing() {
    let ofx = "<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST>\
<STMTTRN><X.ODD>a < b <1 c<DTPOSTED>20250101<TRNAMT>1.00<FITID>1</STMTTRN>\
<STMTTRN><X.EMPTY><DTPOSTED>20250101<TRNAMT>2.00<FITID>2</STMTTRN>\
<STMTTRN><X.ODD>a</X.ODD>b<DTPOSTED>20250101<TRNAMT>3.00<FITID>3\
<STMTTRN><DTPOSTED>20250101<TRNAMT>4.00<FITID>4</STMTTRN></BANKTRANLIST></STMTRS></OFX>";
    let [statement] = statements(ofx).try_into().unwrap();
    assert_eq!(statement.transactions.iter().map(|t| t.amount).collect::<Vec<_>>(), [100, 200, 300, 400]);
    assert_eq!(statement.refused, []);
}

#[test]
fn a_file_that_is_cut_says_so() {
    let cut = &SGML[..SGML.find("<FITID>a1").unwrap()];
    let [statement] = statements(cut).try_into().unwrap();
    assert_eq!(statement.transactions, []);
    assert_eq!(statement.refused[0].reason, "the file ends in this transaction");
    assert!(matches!(read(Cursor::new("hello"), None).unwrap().next(), Some(Err(Error::Refused(_)))));
}

#[test]
fn pending_investments_and_errors() {
    let ofx = "<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><INVSTMTRS><DTASOF>20250201<CURDEF>EUR\
<INVACCTFROM><ACCTID>7</INVACCTFROM><INVTRANLIST>\
<BUYSTOCK><INVBUY><INVTRAN><FITID>b1<DTTRADE>20250105</INVTRAN><TOTAL>-10.00</INVBUY></BUYSTOCK>\
<INCOME><INVTRAN><FITID>b2<DTTRADE>20250106</INVTRAN><INCOMETYPE>DIV<TOTAL>2.00</INCOME>\
<TRANSFER><INVTRAN><FITID>b3<DTTRADE>20250106</INVTRAN><UNITS>5</TRANSFER>\
<INVBANKTRAN><STMTTRN><DTPOSTED>20250107<TRNAMT>3.00<FITID>b4</STMTTRN></INVBANKTRAN></INVTRANLIST>\
<INVBAL><AVAILCASH>8.00<MARGINBALANCE>0</INVBAL></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>\
<BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>2000<SEVERITY>ERROR<MESSAGE>No</STATUS></STMTTRNRS>\
<STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLISTP><STMTTRNP><DTTRAN>20250201<TRNAMT>-1</STMTTRNP></BANKTRANLISTP></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>";
    let [first, second] = statements(ofx).try_into().unwrap();
    let seen: Vec<_> =
        first.transactions.iter().map(|t| (t.source_id.as_deref().unwrap(), t.amount, t.activity)).collect();
    assert_eq!(
        seen,
        [("b1", -1_000, Activity::Trade), ("b2", 200, Activity::Payment), ("b4", 300, Activity::Payment)]
    );
    assert_eq!(first.closing.unwrap().date.unwrap().to_string(), "2025-02-01");
    assert_eq!(first.refused[0].reason, "the bank says: No");
    assert_eq!(second.transactions[0].status, Status::Pending);
}

#[test]
fn a_currency_that_nobody_knows_is_asked_for() {
    let ofx = SGML.replace("<CURDEF>USD", "<CURDEF>").replace("<CURSYM>USD", "<CURSYM>");
    let mut items = read(Cursor::new(ofx.clone()), None).unwrap();
    assert!(items.any(|item| matches!(item, Err(Error::NeedsMapping(_)))));
    let read = statement::collect(read(Cursor::new(ofx), Some(Currency::EUR)).unwrap()).unwrap();
    assert_eq!(read[0].transactions[0].currency, Currency::EUR);
}
