//! What files of other programs call the fields of projects and tasks: Asana, Trello, Jira, Todoist, Linear and the like.

pub const TITLE: &[&str] = &[
    "task",
    "task name",
    "name",
    "summary",
    "card name",
    "content",
    "subject",
    "issue",
    "to do",
    "todo",
    "aufgabe",
    "titel",
    "tarea",
    "tâche",
];

pub const PROJECT: &[&str] = &[
    "projects",
    "project name",
    "board",
    "board name",
    "team",
    "list name",
    "projekt",
    "proyecto",
    "projet",
];

pub const PARENT: &[&str] = &[
    "parent",
    "parent task",
    "parent id",
    "parent key",
    "parent issue",
    "parent summary",
    "subtask of",
    "sub task of",
    "übergeordnete aufgabe",
    "tâche parente",
];

pub const DESCRIPTION: &[&str] = &["notes", "card description", "details", "beschreibung", "descripción"];

pub const STATUS: &[&str] = &["state", "status category", "progress", "zustand", "estado", "statut", "état"];

pub const ASSIGNEE: &[&str] = &[
    "assignee email",
    "assigned to",
    "responsible",
    "owner",
    "members",
    "zugewiesen an",
    "verantwortlich",
    "responsable",
    "asignado a",
    "assigné à",
];

pub const LEAD: &[&str] =
    &["project lead", "owner", "owner email", "manager", "project manager", "leitung", "responsable"];

pub const STARTS_ON: &[&str] = &["start date", "started on", "start", "beginn", "début", "inicio"];

pub const DUE_ON: &[&str] = &[
    "due date",
    "due",
    "deadline",
    "end date",
    "target date",
    "date",
    "fällig",
    "fällig am",
    "fälligkeitsdatum",
    "fecha de vencimiento",
    "échéance",
];

pub const PRIORITY: &[&str] = &["importance", "priorität", "prioridad", "priorité"];

pub const BLOCKED_REASON: &[&str] = &["blocked reason", "blocker", "waiting for", "blocked by dependencies"];

pub const COMPLETED_ON: &[&str] = &[
    "completed at",
    "completed on",
    "completed",
    "completion date",
    "resolved",
    "done at",
    "erledigt am",
    "abgeschlossen am",
];

/// By which other rows of the file name a task: its parent.
pub const TASK_ID: &[&str] = &["task id", "id", "key", "issue key", "issue id", "card id", "identifier"];

/// Words of other programs for the states of tasks, without spaces and signs.
pub const STATUS_WORDS: &[(&str, &[&str])] = &[
    (
        "todo",
        &[
            "open",
            "new",
            "backlog",
            "notstarted",
            "unstarted",
            "planned",
            "triage",
            "ready",
            "selectedfordevelopment",
            "offen",
            "zuerledigen",
            "pendiente",
            "afaire",
        ],
    ),
    (
        "in_progress",
        &[
            "doing", "started", "inreview", "review", "wip", "active", "testing", "inarbeit", "encurso",
            "encours",
        ],
    ),
    ("blocked", &["onhold", "waiting", "stuck", "impeded", "wartet", "blockiert", "bloqueado", "bloque"]),
    (
        "done",
        &[
            "complete",
            "completed",
            "closed",
            "resolved",
            "finished",
            "shipped",
            "erledigt",
            "fertig",
            "hecho",
            "termine",
        ],
    ),
];

/// Todoist counts from 1, the most important.
pub const PRIORITY_WORDS: &[(&str, &[&str])] = &[
    ("low", &["lowest", "minor", "trivial", "p4", "4", "niedrig", "gering", "baja", "basse"]),
    ("normal", &["medium", "none", "nopriority", "moderate", "p3", "3", "mittel", "media", "moyenne"]),
    ("high", &["major", "important", "p2", "2", "hoch", "alta", "haute"]),
    ("urgent", &["highest", "critical", "blocker", "p1", "1", "dringend", "urgente"]),
];

pub const PROJECT_STATUS_WORDS: &[(&str, &[&str])] = &[
    ("planned", &["backlog", "new", "notstarted", "geplant"]),
    ("active", &["open", "inprogress", "started", "ontrack", "atrisk", "offtrack", "aktiv"]),
    ("paused", &["onhold", "pausiert"]),
    ("completed", &["complete", "done", "closed", "finished", "abgeschlossen"]),
    ("cancelled", &["canceled", "abandoned", "abgebrochen"]),
];
