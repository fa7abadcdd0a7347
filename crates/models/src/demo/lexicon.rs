//! Tables of general English, and the German that newcomers try first: what common verbs ask for, which words mean
//! alike, and which carry no topic. Nothing in here names a tool or an agent.

/// What kind of thing a verb asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    Find,
    List,
    Read,
    Save,
    Create,
    Change,
    Remove,
    Send,
}

impl Act {
    pub fn reads(self) -> bool {
        matches!(self, Self::Find | Self::List | Self::Read)
    }
}

pub const ACTS: &[(Act, &[&str])] = &[
    (Act::Find, &["search", "find", "lookup", "query", "recall", "retrieve", "locate", "suche", "finde"]),
    (Act::List, &["list", "show", "display", "view", "browse", "overview", "zeige", "zeig"]),
    (Act::Read, &["read", "get", "fetch", "check", "status", "summarize", "summarise", "count",
        "describe", "inspect"]),
    (Act::Save, &["remember", "store", "save", "note", "keep", "memorize", "memorise", "merke", "merk",
        "merken"]),
    (Act::Create, &["create", "add", "make", "new", "open", "book", "schedule", "register", "insert",
        "write", "draft", "log", "raise", "file", "reserve", "plan", "record", "submit", "start",
        "erstelle", "buche"]),
    (Act::Change, &["update", "change", "set", "edit", "modify", "rename", "move", "assign", "mark",
        "categorize", "categorise", "annotate", "close", "complete", "adjust", "correct", "approve",
        "enable", "disable", "ändere", "ändern"]),
    (Act::Remove, &["delete", "forget", "remove", "erase", "clear", "cancel", "drop", "lösche", "vergiss"]),
    (Act::Send, &["send", "message", "notify", "post", "reply", "email", "share", "invite", "dm", "sende"]),
];

/// Verbs that can be done to anything, and so never say what a request is about. "Book" and "remember" do.
pub const GENERAL: &[&str] = &[
    "search", "find", "lookup", "query", "retrieve", "locate", "list", "show", "display", "view",
    "browse", "read", "get", "fetch", "check", "status", "count", "describe", "inspect", "create", "add",
    "make", "new", "open", "write", "start", "submit", "update", "change", "set", "edit", "modify",
    "move", "mark", "adjust", "delete", "remove", "erase", "clear", "drop", "suche", "finde", "zeige",
    "zeig", "erstelle", "lösche", "ändere",
];

/// Words that mean alike wherever they stand; the first is the name of the meaning.
pub const ALIKE: &[&[&str]] = &[
    &["remember", "memory", "store", "save", "note", "keep", "memorize", "memorise", "recall", "forget",
        "merke", "merk", "merken", "vergiss"],
    &["send", "message", "notify", "dm", "post", "nachricht"],
    &["time", "clock", "now", "uhrzeit", "uhr", "spät"],
    &["date", "day", "today", "datum", "heute", "tag", "weekday", "wochentag"],
    &["expense", "spend", "spent", "spending", "cost", "charge", "purchase", "ausgaben"],
    &["money", "finance", "financial", "cash", "geld"],
    &["people", "person", "guest", "attendee", "participant", "seat", "employee", "headcount", "personen"],
    &["ticket", "issue", "bug", "incident", "case"],
    &["customer", "client", "contact", "kunde"],
    &["deal", "opportunity", "pipeline"],
    &["document", "documentation", "docs", "page", "handbook", "wiki", "article", "knowledge", "policy",
        "manual"],
    &["meeting", "appointment", "calendar", "event", "termin"],
    &["book", "reserve", "reservation", "booking", "buche"],
    &["email", "mail", "inbox"],
    &["weather", "forecast", "temperature", "wetter"],
    &["translate", "translation", "translator", "übersetze"],
    &["convert", "conversion", "exchange", "converter"],
    &["high", "urgent", "critical", "important", "dringend"],
    &["medium", "normal", "moderate"],
    &["low", "minor", "trivial"],
    &["web", "internet", "online"],
    &["invoice", "bill", "receipt", "rechnung"],
    &["vacation", "holiday", "pto", "urlaub"],
    &["refund", "reimbursement", "reimburse"],
    &["car", "vehicle", "automobile", "auto"],
    &["company", "firm", "organisation", "organization", "business"],
    &["sales", "selling", "sell", "sdr", "outreach", "prospect"],
    &["invest", "investment", "portfolio", "stocks"],
    &["legal", "lawyer", "contract", "contractual"],
    &["delete", "remove", "erase", "cancel", "lösche"],
    &["find", "search", "lookup", "suche"],
    &["list", "show", "display", "zeige"],
    &["change", "update", "modify", "edit"],
    &["create", "add", "erstelle"],
    &["birthday", "born", "birth", "birthdate", "geburtstag", "geboren"],
    &["expiry", "expire", "expiration", "expired", "expiring", "valid"],
    &["favorite", "favourite", "lieblings"],
    &["color", "colour"],
    &["timeframe", "timeline"],
    &["financing", "leasing", "loan"],
    &["licence", "license"],
    &["quote", "quotation", "offer"],
];

/// Several words that stand for one.
pub const PHRASES: &[(&[&str], &str)] = &[
    (&["keep", "in", "mind"], "remember"),
    (&["make", "a", "note"], "remember"),
    (&["take", "a", "note"], "remember"),
    (&["write", "down"], "remember"),
    (&["don't", "forget"], "remember"),
    (&["do", "not", "forget"], "remember"),
    (&["never", "forget"], "remember"),
    (&["vergiss", "nicht"], "remember"),
    (&["never", "mind"], "okay"),
    (&["what's", "up"], "okay"),
    (&["wie", "geht", "es", "dir"], "okay"),
    (&["wie", "geht's"], "okay"),
    (&["late", "is", "it"], "time"),
    (&["look", "up"], "search"),
    (&["find", "out"], "find"),
    (&["get", "rid", "of"], "delete"),
    (&["set", "up"], "create"),
    (&["to", "do"], "todo"),
];

/// Words without a topic, in the form before an apostrophe.
pub const STOP: &[&str] = &[
    "a", "an", "the", "and", "or", "but", "if", "then", "than", "so", "as", "at", "by", "for", "from",
    "in", "into", "of", "off", "on", "onto", "out", "over", "to", "up", "with", "without", "about",
    "regarding", "after", "before", "between", "during", "through", "until", "per", "via", "i", "im",
    "me", "my", "mine", "myself", "we", "us", "our", "ours", "you", "your", "yours", "he", "him", "his",
    "she", "her", "hers", "it", "its", "they", "them", "their", "this", "that", "these", "those", "there",
    "here", "is", "am", "are", "was", "were", "be", "been", "being", "do", "does", "did", "doing", "done",
    "don", "doesn", "didn", "isn", "aren", "wasn", "can", "could", "couldn", "cannot", "will", "would",
    "wouldn", "shall", "should", "shouldn", "may", "might", "must", "have", "has", "had", "haven", "hasn",
    "having", "what", "when", "where", "who", "whom", "whose", "which", "why", "how", "not", "no", "yes",
    "please", "thanks", "thank", "hello", "hi", "hey", "ok", "okay", "just", "also", "too", "very",
    "much", "many", "some", "any", "every", "each", "all", "both", "only", "again", "still", "now",
    "tell", "give", "let", "know", "need", "want", "like", "lets", "help", "say", "said", "says", "told",
    "go", "goes", "going", "got", "use", "using", "used", "able", "thing", "things", "something",
    "anything", "sure", "really", "maybe", "kindly", "ask", "asked", "more", "most", "other", "another", "else",
    "such", "one", "s", "t", "ll", "ve", "d", "re", "m", "der", "die", "das", "und", "ist", "ich", "mein",
    "meine", "du", "dein", "ein", "eine", "bitte", "wann", "wie", "was", "wo", "wer", "es", "zu", "für", "mit",
    "von", "im", "am", "den", "dem", "dass", "daß", "dir", "mir", "mich", "dich", "uns", "wir", "bist",
    "sind", "habe", "hast", "haben", "kann", "kannst", "kein", "keine", "nicht", "viel", "viele",
    "welche", "welcher", "welches", "welchen", "meinen", "meinem", "meiner", "deine", "einen", "auf", "über",
    "weißt", "weisst", "wissen", "sag", "auch", "noch", "nur", "aber", "oder", "wenn", "ja",
    "nein", "alles", "everything",
];

/// Words of tool texts that fit everything and so say nothing.
pub const BLAND: &[&str] = &[
    "manage", "tool", "data", "information", "info", "value", "item", "result", "user", "workspace",
    "agent", "action", "name", "id", "type", "text", "content", "string", "optional", "required",
    "default", "number", "conversation", "current", "field", "object", "detail", "details", "api", "call",
    "work", "way", "person", "own", "kind", "handle", "process", "run", "do", "perform",
];

pub const SMALL_TALK: &[&str] = &[
    "hello", "hi", "hey", "hallo", "moin", "servus", "thanks", "thank", "thx", "danke", "bye", "goodbye",
    "cheers", "morning", "evening", "afternoon", "great", "cool", "nice", "ok", "okay", "perfect",
    "awesome", "wonderful", "super", "lol", "haha", "yes", "no", "sure", "good", "guten", "welcome",
    "sorry", "yep", "nope", "yo", "tag", "night",
];
/// What may stand beside small talk without making it a request.
pub const SMALL_FILLER: &[&str] = &[
    "you", "very", "so", "much", "a", "lot", "see", "later", "there", "day", "everyone", "all", "how",
    "are", "is", "it", "going", "doing", "today", "please", "for", "that", "the", "help", "to", "meet",
    "my", "friend", "again", "ja", "nein", "morgen", "and", "was", "work", "job", "well", "i", "am",
    "fine",
];

pub const WH: &[&str] = &[
    "what", "when", "where", "who", "whom", "whose", "which", "why", "how", "is", "are", "was", "were",
    "do", "does", "did", "has", "have", "any", "am", "should", "can", "could", "will", "would", "wann",
    "wo", "wer", "wie", "was", "welche", "welcher", "welches", "welchen", "ist", "habe", "hast",
];

/// Verbs that begin an order even where no tool on offer does them.
pub const IMPERATIVES: &[&str] = &[
    "tell", "give", "let", "say", "explain", "ask", "switch", "talk", "hand", "connect", "transfer",
    "translate", "convert", "calculate", "compare", "analyze", "analyse", "review", "fix", "call",
    "order", "buy", "pay", "print", "upload", "download", "export", "import", "generate", "prepare",
    "follow", "remind", "help", "use", "turn", "suggest", "recommend", "estimate", "compute", "forward",
    "escalate", "route", "begin", "continue", "stop", "erinnere", "erzähle", "erkläre", "schreibe", "schreib",
];

/// Openings that only ask nicely; what follows is the request.
pub const POLITE: &[&[&str]] = &[
    &["i", "would", "like", "you", "to"],
    &["i", "want", "you", "to"],
    &["i", "need", "you", "to"],
    &["i'd", "like", "you", "to"],
    &["i", "would", "like", "to"],
    &["we", "would", "like", "to"],
    &["would", "you", "mind"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["i'd", "like", "to"],
    &["i", "want", "to"],
    &["we", "want", "to"],
    &["i", "need", "to"],
    &["we", "need", "to"],
    &["go", "ahead", "and"],
    &["make", "sure", "to"],
    &["help", "me", "to"],
    &["help", "me"],
    &["let", "us"],
    &["let's"],
    &["kannst", "du"],
    &["könntest", "du"],
];
pub const WISHES: &[&[&str]] = &[
    &["i", "would", "like"],
    &["we", "would", "like"],
    &["i'd", "like"],
    &["i", "need"],
    &["we", "need"],
    &["i", "want"],
    &["we", "want"],
    &["i'm", "looking", "for"],
];
pub const OPENERS: &[&str] = &[
    "please", "kindly", "hey", "hi", "hello", "ok", "okay", "so", "well", "now", "then", "also", "and",
    "but", "just", "bitte", "plus", "finally", "thanks", "und", "yes", "actually", "sorry", "wait", "oops", "eigentlich",
];

/// What is cut short by a full stop, which then ends no sentence.
pub const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "st", "vs", "e.g", "i.e", "z.b", "d.h", "approx", "ca", "bzw", "nr", "hr", "fr", "mt", "rev", "tel",
];

/// Words that only German has, by which a text is known to be German.
pub const GERMAN: &[&str] = &[
    "ich", "mein", "meine", "meinen", "meinem", "meiner", "ist", "und", "der", "das", "nicht", "habe", "bin",
    "dass", "mich", "mir", "wir", "wann", "wie", "ein", "eine", "auf", "mit", "für", "heißt", "heiße", "wohne",
];

/// Small words of other languages, and those of ours that other languages have too.
pub const FOREIGN: &[&str] = &[
    "qué", "cómo", "está", "où", "que", "el", "los", "las", "una", "por", "para", "como", "quelle", "quel", "est", "une", "les", "des", "pas",
    "vous", "je", "il", "che", "sono", "per", "non", "het", "een", "ik", "hola", "bonjour", "ciao", "gracias",
    "merci", "salut", "jest", "cześć", "hej", "olá", "obrigado",
];
pub const AMBIGUOUS: &[&str] =
    &["es", "un", "d", "s", "t", "m", "re", "im", "am", "no", "so", "den", "me", "an", "a", "i", "on", "hi", "der"];

/// Words without a topic that still say what a question about oneself is after: "What do I like?"
pub const LIGHT: &[&str] = &["like", "need", "want", "use", "help", "going"];

/// Things in general: "Can you remember things?"
pub const GENERIC: &[&str] = &[
    "thing", "things", "stuff", "something", "anything", "everything", "fact", "facts", "information", "info",
    "data", "dinge", "sachen", "etwas",
];

pub const LANGUAGES: &[&str] = &[
    "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "danish", "swedish",
    "norwegian", "finnish", "polish", "czech", "turkish", "greek", "russian", "ukrainian", "arabic",
    "hebrew", "hindi", "chinese", "japanese", "korean", "vietnamese", "thai", "romanian", "hungarian",
    "bulgarian", "latin", "swahili", "persian",
];

pub const CURRENCIES: &[(&str, &[&str])] = &[
    ("EUR", &["€", "eur", "euro", "euros"]),
    ("USD", &["$", "usd", "dollar", "dollars"]),
    ("GBP", &["£", "gbp", "pound", "pounds"]),
    ("CHF", &["chf", "franc", "francs", "franken"]),
    ("JPY", &["¥", "jpy", "yen"]),
    ("DKK", &["dkk"]),
    ("SEK", &["sek"]),
    ("NOK", &["nok"]),
    ("PLN", &["pln", "zloty"]),
    ("INR", &["₹", "inr", "rupee", "rupees"]),
    ("CNY", &["cny", "yuan"]),
    ("CAD", &["cad"]),
    ("AUD", &["aud"]),
];

pub const NUMBER_WORDS: &[(&str, f64)] = &[
    ("one", 1.0), ("two", 2.0), ("three", 3.0), ("four", 4.0), ("five", 5.0), ("six", 6.0), ("seven",
    7.0), ("eight", 8.0), ("nine", 9.0), ("ten", 10.0), ("eleven", 11.0), ("twelve", 12.0), ("dozen",
    12.0),
];

pub const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
];
/// Days of the year that have a name.
pub const HOLIDAYS: &[(&str, u32, u32)] =
    &[("christmas", 12, 25), ("weihnachten", 12, 25), ("halloween", 10, 31), ("silvester", 12, 31)];
pub const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag", "dienstag",
    "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
];

/// Past forms that don't follow the rule.
pub const PAST: &[(&str, &str)] = &[
    ("send", "sent"), ("set", "set"), ("make", "made"), ("write", "wrote"), ("put", "put"), ("find",
    "found"), ("get", "got"), ("keep", "kept"), ("run", "ran"), ("read", "read"), ("begin", "began"),
    ("draw", "drew"), ("pay", "paid"), ("buy", "bought"), ("sell", "sold"), ("do", "did"), ("forget",
    "forgot"), ("submit", "submitted"), ("drop", "dropped"), ("plan", "planned"), ("log", "logged"),
];
