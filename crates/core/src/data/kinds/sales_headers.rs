//! What headers of files call the fields of sales: as HubSpot, Pipedrive, Google Contacts, Outlook and others write them, in
//! small letters and without accents.

pub const NOTES: &[&str] = &[
    "note",
    "comments",
    "comment",
    "description",
    "deal description",
    "body",
    "notizen",
    "remarques",
    "notas",
];

pub const OWNER: &[&str] = &[
    "contact owner",
    "company owner",
    "deal owner",
    "record owner",
    "person owner",
    "organization owner",
    "lead owner",
    "account owner",
    "opportunity owner",
    "owner email",
    "owner name",
    "assigned to",
    "sales rep",
    "zustandig",
    "besitzer",
    "proprietaire",
];

pub const COMPANY_NAME: &[&str] = &[
    "company name",
    "company",
    "organization",
    "organization name",
    "account name",
    "firma",
    "entreprise",
    "empresa",
];
pub const DOMAIN: &[&str] = &["company domain name", "domain name", "company domain", "email domain"];
pub const WEBSITE: &[&str] =
    &["website url", "web page", "web site", "url", "homepage", "website 1 value", "webseite", "site web"];
pub const INDUSTRY: &[&str] = &["sector", "branche", "secteur"];
pub const PHONE: &[&str] = &[
    "phone number",
    "telephone",
    "phone 1 value",
    "business phone",
    "mobile phone",
    "mobile phone number",
    "mobile",
    "work phone",
    "phone work",
    "phone mobile",
    "person phone work",
    "person phone",
    "primary phone",
    "telefon",
    "telefono",
];
pub const ADDRESS: &[&str] = &[
    "street address",
    "business address",
    "billing address",
    "address 1 formatted",
    "organization address",
    "adresse",
    "direccion",
];

pub const CONTACT_NAME: &[&str] =
    &["full name", "contact name", "person name", "display name", "lead name", "nom complet", "file as"];
pub const FIRST_NAME: &[&str] = &["given name", "forename", "vorname", "prenom", "nombre"];
pub const LAST_NAME: &[&str] = &["family name", "surname", "nachname", "nom", "apellido", "apellidos"];
pub const EMAIL: &[&str] = &[
    "e-mail",
    "e mail",
    "email address",
    "e mail address",
    "e mail 1 value",
    "email work",
    "person email work",
    "person email",
    "primary email",
    "work email",
    "e mail adresse",
    "courriel",
    "correo electronico",
];
pub const JOB_TITLE: &[&str] = &[
    "title",
    "position",
    "role",
    "organization title",
    "organization 1 title",
    "person job title",
    "funktion",
    "poste",
    "cargo",
];
pub const COMPANY: &[&str] = &[
    "company name",
    "associated company",
    "primary company",
    "primary associated company",
    "organization",
    "organization name",
    "organization 1 name",
    "person organization",
    "deal organization",
    "account name",
    "account",
    "firma",
    "entreprise",
    "empresa",
];
pub const LEAD_STATUS: &[&str] = &["status", "lead state"];
pub const SOURCE: &[&str] =
    &["original source", "lead source", "lead origin", "original traffic source", "herkunft"];

pub const DEAL_NAME: &[&str] =
    &["deal name", "title", "deal title", "opportunity name", "opportunity", "deal"];
pub const CONTACT: &[&str] = &[
    "associated contact",
    "contact person",
    "person",
    "person name",
    "deal contact person",
    "contact name",
    "contact email",
    "ansprechpartner",
];
pub const STAGE: &[&str] = &["deal stage", "pipeline stage", "phase"];
pub const OUTCOME: &[&str] = &["status", "deal status", "won lost"];

/// What other programs call the choices of a field: in small letters, and only letters and digits.
pub const STAGE_WORDS: &[(&str, &[&str])] = &[
    ("lead", &["new", "leadin", "prospecting", "prospect", "open", "idea"]),
    (
        "qualified",
        &[
            "appointmentscheduled",
            "qualifiedtobuy",
            "qualification",
            "contactmade",
            "needsanalysis",
            "discovery",
        ],
    ),
    (
        "proposal",
        &[
            "presentationscheduled",
            "demoscheduled",
            "proposalmade",
            "proposalsent",
            "valueproposition",
            "proposalpricequote",
            "quote",
            "offer",
        ],
    ),
    (
        "negotiation",
        &["decisionmakerboughtin", "contractsent", "negotiationsstarted", "negotiationreview", "negotiating"],
    ),
    ("won", &["closedwon", "win", "gewonnen"]),
    ("lost", &["closedlost", "loss", "verloren"]),
];
pub const STATUS_WORDS: &[(&str, &[&str])] = &[
    ("new", &["open", "uncontacted"]),
    ("contacted", &["inprogress", "attemptedtocontact", "connected", "working", "workingcontacted"]),
    ("qualified", &["opendeal", "hot", "warm"]),
    ("unqualified", &["badtiming", "closednotconverted", "disqualified", "cold"]),
    ("converted", &["closedconverted", "customer"]),
];
pub const TYPE_WORDS: &[(&str, &[&str])] = &[
    ("call", &["phonecall", "anruf"]),
    ("email", &["mail", "incomingemail"]),
    ("meeting", &["lunch", "appointment", "demo", "termin"]),
    ("task", &["todo", "deadline", "followup", "aufgabe"]),
    ("note", &["notiz"]),
];
pub const DEAL_AMOUNT: &[&str] =
    &["value", "deal value", "deal amount", "amount in company currency", "betrag", "wert", "montant"];
pub const CURRENCY: &[&str] =
    &["deal currency", "deal currency of value", "currency code", "wahrung", "devise"];
pub const PROBABILITY: &[&str] = &["deal probability", "win probability", "wahrscheinlichkeit"];
pub const EXPECTED_CLOSE: &[&str] = &[
    "expected close date",
    "deal expected close date",
    "close date",
    "closing date",
    "estimated close date",
];
pub const CLOSED_ON: &[&str] = &[
    "closed date",
    "won time",
    "deal won time",
    "lost time",
    "deal closed on",
    "actual close date",
    "closed at",
];
pub const LOST_REASON: &[&str] = &["lost reason", "deal lost reason", "closed lost reason", "loss reason"];

pub const SUBJECT: &[&str] =
    &["activity subject", "task title", "task name", "title", "name", "betreff", "activity"];
pub const ACTIVITY_TYPE: &[&str] = &["activity type", "task type", "art"];
pub const DUE_ON: &[&str] =
    &["due date", "activity due date", "date", "start date", "fallig am", "faellig am", "echeance"];
pub const DONE_ON: &[&str] =
    &["completed date", "completed at", "marked as done time", "done time", "date completed", "erledigt am"];
pub const DEAL: &[&str] = &["deal name", "deal title", "associated deal", "opportunity"];
pub const ASSIGNEE: &[&str] =
    &["assigned to", "assigned to user", "owner", "activity owner", "task owner", "zustandig"];
