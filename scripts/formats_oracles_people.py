"""What independent parsers find in the address books and calendars among the fixtures: a line of JSON per file and parser. Run by
scripts/formats-oracles.

What is hard: the parser of vCards keeps all of a card, and a contact has one address and one number. Which of several it is
follows one rule here: the preferred, else the first.
"""

import json
import sys
from pathlib import Path

import icalendar
import vobject


def is_preferred(one):
    kinds = [kind.lower() for kind in one.params.get("TYPE", [])] + [kind.lower() for kind in one.singletonparams]
    return "pref" in kinds or one.params.get("PREF") == ["1"]


def chosen(card, name):
    # An address that is nothing is none.
    all_of = [one for one in card.contents.get(name, []) if one.value]
    preferred = [one for one in all_of if is_preferred(one)]
    value = next((one.value for one in preferred + all_of), None)
    return value and value.removeprefix("tel:").removeprefix("mailto:")


def cards_of(path):
    text = path.read_bytes().decode()
    for card in vobject.readComponents(text, allowQP=True):
        first = lambda name: next((one.value for one in card.contents.get(name, []) if one.value), None)
        organisation = first("org")
        note = first("note")
        yield {
            "name": first("fn"),
            "email": chosen(card, "email"),
            "phone": chosen(card, "tel"),
            "job_title": first("title"),
            "company_id": organisation and organisation[0],
            "notes": note and note.replace("\r\n", "\n"),
        }


def events_by_icalendar(path):
    calendar = icalendar.Calendar.from_ical(path.read_bytes())
    for event in calendar.walk("VEVENT"):
        text = lambda name: str(event[name]) if name in event else None
        yield {
            "uid": text("UID"),
            "from": event.decoded("DTSTART").isoformat(),
            "to": event.decoded("DTEND").isoformat(),
            "changed": event.decoded("DTSTAMP").isoformat(),
            "summary": text("SUMMARY"),
            "description": text("DESCRIPTION"),
            "category": str(event["CATEGORIES"].cats[0]) if "CATEGORIES" in event else None,
            "priority": event.get("PRIORITY"),
            "sequence": event.get("SEQUENCE"),
        }


def events_by_vobject(path):
    calendar = vobject.readOne(path.read_bytes().decode())
    for event in calendar.contents["vevent"]:
        value = lambda name: event.contents[name][0].value if name in event.contents else None
        categories = value("categories")
        yield {
            "uid": value("uid"),
            "from": value("dtstart").isoformat(),
            "to": value("dtend").isoformat(),
            "changed": value("dtstamp").isoformat(),
            "summary": value("summary"),
            "description": value("description"),
            "category": categories and categories[0],
            "priority": value("priority") and int(value("priority")),
            "sequence": value("sequence") and int(value("sequence")),
        }


PARSERS = {
    ".vcf": [("vobject", cards_of)],
    ".ics": [("icalendar", events_by_icalendar), ("vobject", events_by_vobject)],
}


def main(root):
    for path in sorted(path for path in root.rglob("*") if path.suffix in PARSERS):
        for name, parse in PARSERS[path.suffix]:
            line = {"file": str(path.relative_to(root)), "parser": name, "found": list(parse(path))}
            print(json.dumps(line, ensure_ascii=False))


main(Path(sys.argv[1]))
