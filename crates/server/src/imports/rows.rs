//! Files of all kinds but transactions. A row is known by its id, where Baton wrote the file, else by its e-mail or domain, else by
//! what names it: its name, or for a rate its currencies and its day. A row that is there is changed where the file says something
//! else; cells that are empty change nothing. Companies and projects that a file names and nobody has are made. Tasks of one title
//! are told apart by their project, the task above and their order (`tasks.rs`).

use std::collections::HashMap;

use baton_core::data::areas::Area;
use baton_core::data::check;
use baton_core::data::imports::{
    Counts, FileFormat, ImportProgress, ImportedChange, MAX_REMARKS, Remark, RemarkType,
};
use baton_core::data::kind::{FieldType, Kind, Presence};
use baton_core::data::kinds::{self, COMPANIES, CONTACTS, PROJECT_TASKS, PROJECTS};
use baton_core::data::projects;
use baton_core::data::rows::{Change, Once, Row, RowChange};
use baton_core::data::sales::{self, Stage};
use baton_core::data::shown::title_name;
use baton_core::text;
use baton_core::workspaces::Member;
use baton_formats::csv::{self, Record, Value as Cell};
use baton_formats::vcard;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::books::{NotMade, all_rows, clipped, made_id, refused};
use super::look::Look;
use super::reading::blocking;
use super::run::{Halt, Job};
use super::tasks::{self, Arranged};

/// Addresses that are looked up at once.
const ADDRESSES: usize = 500;
/// Rows changed in one write.
const BATCH: usize = 50;

#[derive(Default)]
pub struct Counted {
    pub counts: Counts,
    pub remarks: Vec<Remark>,
}

/// What becomes of a row.
enum Plan {
    New {
        id: Uuid,
        fields: Map<String, Value>,
        makes: Option<Company>,
    },
    Changed {
        id: Uuid,
        version: i64,
        fields: Map<String, Value>,
        makes: Option<Company>,
    },
    /// This import stored it before it was interrupted.
    Stored {
        is_new: bool,
    },
    Duplicate,
    Refused(String),
}

/// A company or a project that the file names and that is not there yet.
#[derive(Clone)]
struct Company {
    kind: &'static Kind,
    id: Uuid,
    name: String,
}

struct Planner {
    kind: &'static Kind,
    import: baton_core::ids::ImportId,
    look: Look,
    rows: HashMap<Uuid, Row>,
    by_name: HashMap<String, Vec<Uuid>>,
    /// By e-mail or domain; also by the addresses of contacts that were merged into another.
    by_key: HashMap<String, Uuid>,
    /// Rows that references name: by kind and folded title.
    titles: HashMap<(&'static str, String), Uuid>,
    ids: HashMap<Uuid, &'static str>,
    /// People by folded e-mail address and by folded name. None: several have this name.
    people: HashMap<String, Option<Uuid>>,
    noted: Vec<ImportedChange>,
    /// For tasks: the project of rows that name none.
    file_project: String,
    /// For tasks: the place of the row above each row.
    above: Vec<Option<usize>>,
    /// For tasks: what each row became.
    taken: HashMap<usize, Uuid>,
    /// How often a name came already, of kinds whose names are not their own.
    seen: HashMap<String, usize>,
    /// What people are told of the row that was planned last.
    notes: Vec<String>,
}

pub async fn count(job: &Job<'_>, look: &Look) -> Result<Counted, Halt> {
    let mut planner = Planner::open(job, look).await?;
    let mut counted = Counted::default();
    let records = planner.arrange(records(job, look).await?);
    planner.find_merged(job, &records).await?;
    for (at, record) in records.into_iter().enumerate() {
        counted.counts.read += 1;
        let line = line_of(&record);
        let plan = planner.plan(at, record);
        counted.note(line, std::mem::take(&mut planner.notes));
        match plan {
            Plan::New { id, fields, makes } => {
                counted.counts.new += 1;
                counted.tell_of(line, makes);
                planner.remember(id, &fields);
            }
            Plan::Changed { makes, .. } => {
                counted.counts.changed += 1;
                counted.tell_of(line, makes);
            }
            Plan::Stored { .. } | Plan::Duplicate => counted.counts.duplicates += 1,
            Plan::Refused(reason) => counted.refuse(line, reason),
        }
    }
    Ok(counted)
}

pub async fn store(job: &Job<'_>, look: &Look) -> Result<(), Halt> {
    let mut planner = Planner::open(job, look).await?;
    let mut counted =
        Counted { counts: job.import.counts, remarks: job.inner.store.remarks(job.import.id).await? };
    let records = planner.arrange(records(job, look).await?);
    planner.find_merged(job, &records).await?;
    let mut done = usize::try_from(job.import.items_done).unwrap_or(usize::MAX);
    if job.kind == &PROJECT_TASKS {
        // What was stored before an interruption is found again: others hang on it.
        for (at, record) in records.iter().take(done).enumerate() {
            planner.plan(at, record.clone());
        }
    }
    for some in records.get(done..).unwrap_or_default().chunks(BATCH) {
        let mut plans = Vec::new();
        for (at, record) in (done..).zip(some) {
            let plan = planner.plan(at, record.clone());
            if let Plan::New { id, fields, .. } = &plan {
                planner.remember(*id, fields);
            }
            plans.push((line_of(record), plan, std::mem::take(&mut planner.notes)));
        }
        // What is about to change is noted first: after a crash it is known for this import's.
        let intents: Vec<ImportedChange> =
            plans.iter().flat_map(|(_, plan, _)| intents(job.kind, plan)).collect();
        if !intents.is_empty() && !job.inner.store.note_changes(job.claim, intents).await? {
            return Err(Halt::Lost);
        }
        for (line, plan, notes) in plans {
            counted.counts.read += 1;
            counted.note(line, notes);
            match plan {
                Plan::New { id, fields, makes } => {
                    counted.tell_of(line, make(job, makes).await?);
                    let change = Change::Create { id, fields };
                    match change_row(job, job.kind, change).await? {
                        Ok(()) => counted.counts.new += 1,
                        Err(reason) => {
                            planner.forget(id);
                            counted.refuse(line, reason);
                        }
                    }
                }
                Plan::Changed { id, version, fields, makes } => {
                    counted.tell_of(line, make(job, makes).await?);
                    let change = Change::Set { id, seen: Some(version), fields };
                    match change_row(job, job.kind, change).await? {
                        Ok(()) => counted.counts.changed += 1,
                        Err(reason) => counted.refuse(line, reason),
                    }
                }
                Plan::Stored { is_new: true } => counted.counts.new += 1,
                Plan::Stored { is_new: false } => counted.counts.changed += 1,
                Plan::Duplicate => counted.counts.duplicates += 1,
                Plan::Refused(reason) => counted.refuse(line, reason),
            }
        }
        done += some.len();
        let progress = ImportProgress {
            items_done: Some(done as u64),
            counts: Some(counted.counts),
            remarks: Some(counted.remarks.clone()),
            ..ImportProgress::default()
        };
        job.note(progress).await?;
    }
    Ok(())
}

fn intents(kind: &'static Kind, plan: &Plan) -> Vec<ImportedChange> {
    let noted = |row_id, kind: &Kind, version| ImportedChange {
        row_id,
        kind: kind.name.to_owned(),
        change_id: None,
        version,
    };
    let (own, makes) = match plan {
        Plan::New { id, makes, .. } => (noted(*id, kind, 1), makes),
        Plan::Changed { id, version, makes, .. } => (noted(*id, kind, version + 1), makes),
        _ => return Vec::new(),
    };
    let company = makes.as_ref().map(|company| noted(company.id, company.kind, 1));
    company.into_iter().chain([own]).collect()
}

/// Makes a company or a project that rows name. One that another process made meanwhile under this name is found with the next file.
async fn make(job: &Job<'_>, company: Option<Company>) -> Result<Option<Company>, Halt> {
    let Some(company) = company else { return Ok(None) };
    let fields = Map::from_iter([("name".to_owned(), json!(company.name))]);
    let made = change_row(job, company.kind, Change::Create { id: company.id, fields }).await?;
    Ok(Some(company).filter(|_| made.is_ok()))
}

async fn change_row(job: &Job<'_>, kind: &'static Kind, change: Change) -> Result<Result<(), String>, Halt> {
    let change = RowChange { kind, change };
    let changed = job.inner.store.change_rows(&Once::Unkeyed, job.scope, job.author, vec![change]).await;
    match changed.map_err(refused) {
        Ok(_) => Ok(Ok(())),
        Err(NotMade::Refused(reason)) => Ok(Err(reason)),
        Err(NotMade::Store(error)) => Err(error.into()),
    }
}

pub type Read = Result<Record, baton_formats::statement::Refused>;

/// All rows of the file: a kind has at most some thousands.
async fn records(job: &Job<'_>, look: &Look) -> Result<Vec<Read>, Halt> {
    let (look, file) = (look.clone(), job.file());
    let most = usize::try_from(job.kind.most).unwrap_or(usize::MAX);
    blocking(move || {
        let options = csv::Options { currency: look.currency };
        let mut all = Vec::new();
        let records: Box<dyn Iterator<Item = baton_formats::Result<Read>>> = match look.format {
            FileFormat::Vcard => Box::new(vcard::read(file, &look.fields)),
            _ => Box::new(csv::read(file, &look.fields, &look.mapping, &options)?),
        };
        for record in records {
            all.push(record?);
            if all.len() > most {
                let problem = format!("The file has more rows than there can be: {most}.");
                return Err(baton_formats::Error::Refused(problem));
            }
        }
        Ok(all)
    })
    .await
}

fn line_of(record: &Read) -> u64 {
    match record {
        Ok(record) => record.line,
        Err(refused) => refused.line,
    }
}

impl Counted {
    fn tell_of(&mut self, line: u64, company: Option<Company>) {
        let Some(Company { kind, name, .. }) = company else { return };
        self.note(line, vec![format!("the {} “{}” is new: nobody had it", kind.one, clipped(&name, 60))]);
    }

    fn note(&mut self, line: u64, notes: Vec<String>) {
        for text in notes {
            if (self.remarks.len() as u64) < MAX_REMARKS {
                self.remarks.push(Remark { line, of: RemarkType::Note, text });
            }
        }
    }

    fn refuse(&mut self, line: u64, reason: String) {
        self.counts.refused += 1;
        if (self.remarks.len() as u64) < MAX_REMARKS {
            self.remarks.push(Remark { line, of: RemarkType::Refused, text: clipped(&reason, 300) });
        }
    }
}

impl Planner {
    async fn open(job: &Job<'_>, look: &Look) -> Result<Self, Halt> {
        let store = &*job.inner.store;
        let mut planner = Self {
            kind: job.kind,
            import: job.import.id,
            look: look.clone(),
            rows: HashMap::new(),
            by_name: HashMap::new(),
            by_key: HashMap::new(),
            titles: HashMap::new(),
            ids: HashMap::new(),
            people: HashMap::new(),
            noted: store.noted_changes(job.import.id).await?,
            file_project: tasks::project_of_file(&job.import.filename),
            above: Vec::new(),
            taken: HashMap::new(),
            seen: HashMap::new(),
            notes: Vec::new(),
        };
        // Of rows with one name the first in the file is the one that was made first: so a file that comes again finds them alike.
        let mut rows = all_rows(store, job.scope, job.kind).await?;
        rows.sort_by_key(|row| (row.created_at, row.id));
        for row in rows {
            planner.learn(row);
        }
        for other in job.kind.fields.iter().filter_map(|field| match field.of {
            FieldType::Reference(other) => kinds::find(other),
            _ => None,
        }) {
            for row in all_rows(store, job.scope, other).await? {
                let title = row.fields.get(other.title).and_then(Value::as_str).unwrap_or_default();
                planner.titles.insert((other.name, text::fold(title)), row.id);
                planner.ids.insert(row.id, other.name);
            }
        }
        if job.kind.fields.iter().any(|field| field.of == FieldType::Member) {
            planner.people = planner.people(store.members(job.scope.workspace_id).await?);
        }
        Ok(planner)
    }

    fn arrange(&mut self, records: Vec<Read>) -> Vec<Read> {
        let Arranged { records, above } = tasks::arranged(self.kind, &self.look.fields, records);
        self.above = above;
        records
    }

    /// Members, and those whom rows name although they left.
    fn people(&self, members: Vec<Member>) -> HashMap<String, Option<Uuid>> {
        let mut people = HashMap::new();
        for member in &members {
            let several = |id: &mut Option<Uuid>| *id = id.filter(|id| *id == member.profile_id.0);
            let named = people.entry(text::fold(&member.name));
            named.and_modify(several).or_insert(Some(member.profile_id.0));
        }
        for member in members {
            people.insert(text::fold(&member.email), Some(member.profile_id.0));
        }
        for row in self.rows.values() {
            for (field, id) in check::members(self.kind, &row.fields) {
                if let Some(name) = row.titles.get(title_name(field.name)).and_then(Value::as_str) {
                    people.entry(text::fold(name)).or_insert(Some(id));
                }
            }
        }
        people
    }

    fn learn(&mut self, row: Row) {
        self.by_name.entry(name_of(self.kind, &row.fields)).or_default().push(row.id);
        if let Some(key) = key_of(self.kind, &row.fields) {
            self.by_key.insert(key.to_owned(), row.id);
        }
        self.rows.insert(row.id, row);
    }

    fn forget(&mut self, id: Uuid) {
        self.rows.remove(&id);
        self.by_name.values_mut().for_each(|ids| ids.retain(|known| *known != id));
        self.by_key.retain(|_, known| *known != id);
    }

    /// Addresses of the file that mean contacts which were merged into another.
    async fn find_merged(&mut self, job: &Job<'_>, records: &[Read]) -> Result<(), Halt> {
        if self.kind.name != CONTACTS.name {
            return Ok(());
        }
        let email = |record: &Read| self.fields_of_key(record.as_ref().ok()?);
        let unknown: Vec<String> =
            records.iter().filter_map(email).filter(|email| !self.by_key.contains_key(email)).collect();
        for some in unknown.chunks(ADDRESSES) {
            let found = job.inner.store.contacts_of(job.scope, some.to_vec()).await?;
            self.by_key.extend(found.into_iter().filter(|(_, id)| self.rows.contains_key(id)));
        }
        Ok(())
    }

    fn fields_of_key(&self, record: &Record) -> Option<String> {
        match record.get(&self.look.fields, sales::key_of(self.kind)?) {
            Some(Cell::Text(text)) => Some(text::email_key(first_of(text))),
            _ => None,
        }
    }

    /// A row of the file that comes in may be named again further down.
    fn remember(&mut self, id: Uuid, fields: &Map<String, Value>) {
        let at = chrono::Utc::now();
        let row = Row {
            id,
            version: 1,
            fields: fields.clone(),
            titles: Map::new(),
            is_deleted: false,
            created_at: at,
            updated_at: at,
        };
        self.learn(row);
    }

    fn plan(&mut self, at: usize, record: Read) -> Plan {
        let record = match record {
            Ok(record) => record,
            Err(refused) => return Plan::Refused(refused.reason),
        };
        let (fields, makes) = match self.fields(at, &record) {
            Ok(read) => read,
            Err(reason) => return Plan::Refused(reason),
        };
        let made = made_id(self.import, self.kind.name, &at.to_string());
        let own = match record.get(&self.look.fields, csv::ROW_ID) {
            Some(Cell::Text(id)) => id.parse().ok().filter(|id| self.rows.contains_key(id)),
            _ => None,
        };
        let known = match own.map_or_else(|| self.known(&fields), |id| Ok(Some(id))) {
            Ok(known) => known,
            Err(reason) => return Plan::Refused(reason),
        };
        self.taken.insert(at, known.filter(|id| self.rows.contains_key(id)).unwrap_or(made));
        let Some(row) = known.and_then(|id| self.rows.get(&id)) else {
            return Plan::New { id: made, fields, makes };
        };
        let differs = |(name, value): (&String, &Value)| row.fields.get(name) != Some(value);
        if !fields.iter().any(differs) {
            let noted =
                self.noted.iter().find(|noted| noted.row_id == row.id && noted.version == row.version);
            return match noted {
                Some(_) => Plan::Stored { is_new: row.id == made },
                None => Plan::Duplicate,
            };
        }
        let fields = fields_changed(self.kind, row, fields);
        Plan::Changed { id: row.id, version: row.version, fields, makes }
    }

    /// The row that is there already: with this e-mail or domain, else with this name and nothing that says otherwise.
    fn known(&mut self, fields: &Map<String, Value>) -> Result<Option<Uuid>, String> {
        if self.kind == &PROJECT_TASKS {
            let name = name_of(self.kind, fields);
            let times = self.seen.entry(name.clone()).or_default();
            let known = self.by_name.get(&name).and_then(|ids| ids.get(*times)).copied();
            *times += 1;
            return Ok(known);
        }
        if let Some(id) = key_of(self.kind, fields).and_then(|key| self.by_key.get(key)) {
            return Ok(Some(*id));
        }
        let named = self.by_name.get(&name_of(self.kind, fields)).map(Vec::as_slice).unwrap_or_default();
        let fits = |row: &Row| {
            told_apart_by(self.kind).iter().all(|name| {
                let (given, there) = (fields.get(*name), row.fields.get(*name));
                // A company without a domain gets it; a contact without an address may be somebody else.
                let is_filled = self.kind.name == COMPANIES.name && there.is_none_or(Value::is_null);
                given.is_none_or(Value::is_null) || given == there || is_filled
            })
        };
        let fitting: Vec<Uuid> =
            named.iter().copied().filter(|id| self.rows.get(id).is_some_and(&fits)).collect();
        match fitting[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => {
                let named = fields.get(self.kind.title).and_then(Value::as_str).unwrap_or_default();
                let kinds = self.kind.label.to_lowercase();
                Err(format!("there are several {kinds} “{}” that it could be", clipped(named, 60)))
            }
        }
    }

    /// What a row of the file says, in canonical form.
    fn fields(
        &mut self,
        at: usize,
        record: &Record,
    ) -> Result<(Map<String, Value>, Option<Company>), String> {
        let (mut fields, mut makes) = (Map::new(), None);
        let columns = self.look.fields.clone();
        for field in self.kind.fields.iter().filter(|field| field.presence != Presence::Derived) {
            let value = match (record.get(&columns, field.name), field.of) {
                (_, FieldType::Reference("project_tasks")) => {
                    self.task_above(at, record, &fields)?.map(|id| json!(id))
                }
                (_, FieldType::Reference(other)) => match self.reference(record, field.name, other)? {
                    Referred::To(id) => Some(json!(id)),
                    Referred::New(company) => {
                        let id = json!(company.id);
                        makes = Some(company);
                        Some(id)
                    }
                    Referred::Nothing => None,
                },
                (Some(Cell::Text(named)), FieldType::Member) if self.kind.area == Area::Projects => {
                    // Who does it may have left, or never have been here: the row is worth having all the same.
                    self.person(named).map_err(|why| self.notes.push(format!("{}: {why}", field.label))).ok()
                }
                (Some(Cell::Text(named)), FieldType::Member) => Some(self.person(named)?),
                (Some(Cell::Text(word)), FieldType::Choice(choices)) => {
                    let choice = match self.kind.area {
                        Area::Projects => projects::choice_of(self.kind, field, word),
                        _ => sales::choice_of(field, word),
                    };
                    let choice = choice.ok_or_else(|| {
                        let label = field.label.to_lowercase();
                        format!("“{}” is no {label}: there are {}", clipped(word, 60), choices.join(", "))
                    })?;
                    Some(json!(choice))
                }
                (Some(Cell::Text(text)), FieldType::Line { .. }) if self.kind.area == Area::Sales => {
                    Some(json!(super::books::cleaned(first_of(text))))
                }
                (None, FieldType::Currency) if field.name == "currency" => {
                    self.look.currency.map(|currency| json!(currency.code()))
                }
                (None, _) => None,
                (Some(cell), of) => Some(value_of(cell, of)),
            };
            if let Some(value) = value {
                fields.insert(field.name.to_owned(), value);
            }
        }
        self.complete(record, &mut fields)?;
        Ok((fields, makes))
    }

    /// What follows from columns that are no fields of the kind.
    fn complete(&self, record: &Record, fields: &mut Map<String, Value>) -> Result<(), String> {
        let text = |name: &str| match record.get(&self.look.fields, name) {
            Some(Cell::Text(text)) => text.trim(),
            _ => "",
        };
        if self.kind.name == CONTACTS.name && !fields.contains_key("name") {
            let full = [text(csv::FIRST_NAME), text(csv::LAST_NAME)].join(" ");
            let email = fields.get("email").and_then(Value::as_str).unwrap_or_default();
            let name = if full.trim().is_empty() { email } else { full.trim() };
            if name.is_empty() {
                return Err("it has neither a name nor an e-mail".to_owned());
            }
            fields.insert("name".to_owned(), json!(super::books::cleaned(name)));
        }
        if let Ok(outcome @ (Stage::Won | Stage::Lost)) = text(csv::OUTCOME).to_lowercase().parse::<Stage>() {
            fields.insert("stage".to_owned(), json!(outcome));
        }
        sales::canonical(self.kind, fields).map_err(|invalid| invalid.to_string())
    }

    fn person(&self, named: &str) -> Result<Value, String> {
        match self.people.get(&text::fold(named.trim())) {
            Some(Some(id)) => Ok(json!(id)),
            Some(None) => {
                Err(format!("there are several members “{}”: give the e-mail address", clipped(named, 60)))
            }
            None => Err(format!("there is no member “{}” in this workspace", clipped(named, 60))),
        }
    }

    /// The task above one: of the file, by its id there or its title, else of the workspace.
    fn task_above(
        &self,
        at: usize,
        record: &Record,
        fields: &Map<String, Value>,
    ) -> Result<Option<Uuid>, String> {
        if let Some(above) = self.above.get(at).copied().flatten() {
            let taken = self.taken.get(&above).copied();
            return taken.map(Some).ok_or_else(|| "the task above it was not taken".to_owned());
        }
        let text = |name: &str| match record.get(&self.look.fields, name) {
            Some(Cell::Text(text)) => Some(text.trim()),
            _ => None,
        };
        let named = text("parent_id");
        let by_id = text(&csv::row_id_of("parent_id")).or(named).and_then(|id| id.parse::<Uuid>().ok());
        if let Some(id) = by_id.filter(|id| self.rows.contains_key(id)) {
            return Ok(Some(id));
        }
        let Some(title) = named else { return Ok(None) };
        let is_it = |row: &&Row| {
            let own = row.fields.get("title").and_then(Value::as_str).unwrap_or_default();
            row.fields.get("project_id") == fields.get("project_id") && text::fold(own) == text::fold(title)
        };
        match self.rows.values().find(is_it) {
            Some(row) => Ok(Some(row.id)),
            None => Err(format!("there is no task “{}” in its project", clipped(title, 60))),
        }
    }

    fn reference(&mut self, record: &Record, name: &str, other: &'static str) -> Result<Referred, String> {
        let text = |name: &str| match record.get(&self.look.fields, name) {
            Some(Cell::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let id = text(&csv::row_id_of(name)).and_then(|id| id.parse::<Uuid>().ok());
        if let Some(id) = id.filter(|id| self.ids.get(id) == Some(&other)) {
            return Ok(Referred::To(id));
        }
        let named = text(name).map(super::books::cleaned);
        let own = (other == PROJECTS.name).then(|| self.file_project.clone());
        let Some(title) = named.or(own) else { return Ok(Referred::Nothing) };
        let folded = text::fold(&title);
        if let Some(id) = self.titles.get(&(other, folded.clone())) {
            return Ok(Referred::To(*id));
        }
        if let Some(kind) = [&COMPANIES, &PROJECTS].into_iter().find(|kind| kind.name == other) {
            let id = made_id(self.import, other, &folded);
            self.titles.insert((other, folded), id);
            self.ids.insert(id, other);
            return Ok(Referred::New(Company { kind, id, name: title }));
        }
        let one = kinds::find(other).map_or(other, |kind| kind.one);
        Err(format!("there is no {one} “{}”", clipped(&title, 60)))
    }
}

/// What a cell that names another row means.
enum Referred {
    Nothing,
    To(Uuid),
    New(Company),
}

/// What stays once a row is there is not set again.
fn fields_changed(kind: &Kind, row: &Row, fields: Map<String, Value>) -> Map<String, Value> {
    let is_fixed = |name: &str| kind.field(name).is_some_and(|field| field.presence == Presence::Fixed);
    fields
        .into_iter()
        .filter(|(name, value)| !(is_fixed(name) && row.fields.get(name) == Some(value)))
        .collect()
}

fn value_of(cell: &Cell, of: FieldType) -> Value {
    match cell {
        Cell::Text(text) => match of {
            FieldType::Currency => json!(text.trim().to_uppercase()),
            FieldType::Line { .. } => json!(super::books::cleaned(text)),
            _ => json!(text),
        },
        Cell::Choice(word) => json!(word),
        Cell::Date(day) => json!(day),
        Cell::Currency(currency) => json!(currency.code()),
        Cell::Money { amount, .. } => json!(amount),
        Cell::Bool(is) => json!(is),
        Cell::Number(number) => match (of, number.to_string()) {
            (FieldType::Number { .. }, text) => {
                text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number))
            }
            (_, text) => json!(text),
        },
    }
}

/// What people know a row by.
fn name_of(kind: &Kind, fields: &Map<String, Value>) -> String {
    let names: &[&str] = match kind.name {
        "exchange_rates" => &["currency", "in_currency", "valid_from"],
        "project_tasks" => &["project_id", "parent_id", "title"],
        _ => &[kind.title],
    };
    let text = |name: &&str| fields.get(*name).and_then(Value::as_str).map(text::fold).unwrap_or_default();
    names.iter().map(text).collect::<Vec<_>>().join("|")
}

/// What makes two rows with the same name different ones.
fn told_apart_by(kind: &Kind) -> &'static [&'static str] {
    match kind.name {
        "companies" => &["domain"],
        "contacts" => &["email"],
        "deals" => &["company_id", "contact_id"],
        "activities" => &["type", "due_on", "done_on", "contact_id", "company_id", "deal_id"],
        _ => &[],
    }
}

/// The e-mail or domain that a row is known by.
fn key_of<'a>(kind: &Kind, fields: &'a Map<String, Value>) -> Option<&'a str> {
    fields.get(sales::key_of(kind)?)?.as_str()
}

/// Google writes several values into one cell.
fn first_of(cell: &str) -> &str {
    cell.split(" ::: ").next().unwrap_or_default().trim()
}
