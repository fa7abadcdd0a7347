"""What independent parsers find in the fixtures: per file, parser and account the number of transactions, their sum and the
closing balance, in minor units. A file that a parser can't read has a row that says so. Run by scripts/formats-oracles.

What is hard: the parsers count what Baton doesn't call a transaction of an account. Each such difference is one rule
here, with its reason; nothing else is adjusted.
"""

import logging
import sys
import warnings
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import ofxparse
import ofxtools
import pycamt.parser
import quiffen

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

# Without cash: shares for dividends that were never paid out, and shares that move between accounts.
NO_CASH = {"reinvest", "transfer", "jrnlsec", "jrnlfund", "split", "closureopt"}
DECIMALS = {"JPY": 0}


def minor(amount, currency="USD"):
    """Brokers write more decimals than the currency has: each amount is rounded, as Baton does."""
    places = DECIMALS.get((currency or "").upper(), 2)
    return int((Decimal(str(amount)) * 10**places).to_integral_value(ROUND_HALF_EVEN))


def row(account, amounts, balance, currency="USD"):
    total = sum(minor(amount, currency) for amount in amounts)
    return (account or "-", len(amounts), total, "-" if balance is None else minor(balance, currency))


def by_ofxparse(path):
    with open(path, "rb") as file:
        ofx = ofxparse.OfxParser.parse(file, fail_fast=False)
    for account in ofx.accounts:
        statement = account.statement
        if statement is None:
            continue
        amounts = []
        for one in statement.transactions:
            if isinstance(one, ofxparse.ofxparse.InvestmentTransaction):
                if one.type not in NO_CASH:
                    amounts.append(one.total)
            else:
                amounts.append(one.amount)
        # An empty name or id is no reason to leave out money.
        for one in statement.discarded_entries:
            if one["error"].startswith(("Empty transaction name", "Empty FIT id")):
                amounts.append(one["content"].find("trnamt").get_text(strip=True))
        balance = getattr(statement, "balance", None)
        if isinstance(statement, ofxparse.ofxparse.InvestmentStatement):
            balance = getattr(statement, "available_cash", None)
        if balance == "":
            balance = None
        yield row(account.account_id, amounts, balance, account.curdef)


def by_ofxtools(path):
    parser = ofxtools.OFXTree()
    parser.parse(path)
    for statement in parser.convert().statements:
        amounts = []
        for one in statement.transactions or []:
            kind = type(one).__name__.lower()
            if kind == "invbanktran":
                amounts.append(one.trnamt)
            elif kind not in NO_CASH:
                amounts.append(one.trnamt if kind == "stmttrn" else one.total)
        is_investment = type(statement).__name__ == "INVSTMTRS"
        stated = statement.invbal if is_investment else statement.ledgerbal
        balance = None if stated is None else stated.availcash if is_investment else stated.balamt
        yield row(statement.account.acctid, amounts, balance, statement.curdef)


def by_quiffen(path):
    # Which files have the day first is not the parsers' question, but a person's.
    day_first = path.name in ("day-first.qif", "test_category_override.qif")
    qif = quiffen.Qif.parse(path, day_first=day_first)
    for name, account in qif.accounts.items():
        lists = account.transactions.values()
        # Investments there have neither an amount nor a sign.
        amounts = [one.amount for transactions in lists for one in transactions if hasattr(one, "payee") and not hasattr(one, "action")]
        if amounts:
            yield row("-" if name == "Quiffen Default Account" else name, amounts, None)


def by_pycamt(path):
    camt = pycamt.parser.Camt053Parser.from_file(path)
    transactions = camt.get_transactions()
    for statement in camt.get_statement_info():
        iban, currency = statement["IBAN"], statement["Currency"]
        own = [one for one in transactions if one["AccountIBAN"] == iban]
        signed = [("-" if one["CreditDebitIndicator"] == "DBIT" else "") + one["Amount"] for one in own]
        yield row(iban, signed, statement["ClosingBalance"], currency)


PARSERS = {
    ".ofx": [("ofxparse", by_ofxparse), ("ofxtools", by_ofxtools)],
    ".qif": [("quiffen", by_quiffen)],
    ".xml": [("pycamt", by_pycamt)],
}


def main(root):
    print("# By scripts/formats-oracles; see there. Sum and balance in minor units; - is what the file does not say.")
    print("file\tparser\taccount\tcount\tsum\tbalance")
    for path in sorted(path for path in root.rglob("*") if path.suffix in PARSERS):
        for name, parse in PARSERS[path.suffix]:
            begin = f"{path.relative_to(root)}\t{name}"
            try:
                rows = list(parse(path))
            except Exception as error:  # whatever a parser can't read
                print(f"{begin}\tcan't read it: {type(error).__name__}\t\t\t")
                continue
            for found in rows:
                print(begin, *found, sep="\t")
            if not rows:
                print(f"{begin}\tno accounts\t\t\t")


main(Path(sys.argv[1]))
