//! One story of what a store does, told to every store there is.

use super::{Append, EventRow, InputKey, NewRun, OpenText, PersonaRow, RunChange, RunRow, Spent, SqliteStore, Store, StoreError};
use crate::engine::{
    entry::Partial,
    flow::{Stamp, Status},
};
use serde_json::json;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use uuid::Uuid;

/// A store in a folder of its own, which must be kept as long as the store.
pub async fn sqlite() -> (SqliteStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(&url(&folder)).await.expect("a store");
    (store, folder)
}

pub fn url(folder: &tempfile::TempDir) -> String {
    format!("sqlite://{}/colloquy.db", folder.path().display())
}

fn run(owner: &str, key: Option<(&str, &str)>) -> NewRun {
    let key = key.map(|(key, fingerprint)| InputKey { scope: owner.into(), key: key.into(), fingerprint: fingerprint.into() });
    NewRun {
        id: Uuid::now_v7(),
        kind: "simulate",
        owner: owner.into(),
        title: "A title".into(),
        setup: json!({ "icp": "ümlaut 😀" }),
        status: Status::Running,
        at: 1_000,
        log: vec![EventRow { stamp: Stamp { seq: 1, at: 1_000 }, body: json!({ "run": "first" }) }],
        key,
        external_id: None,
        parent: None,
    }
}

fn append(run: Uuid, after: i64, epoch: Option<i64>, count: usize) -> Append {
    Append {
        run,
        after,
        epoch,
        at: 2_000,
        bodies: (0..count).map(|i| json!({ "room": i })).collect(),
        status: Status::Waiting,
        open: vec![],
        input_tokens: 10,
        output_tokens: 5,
        cost_micros: 7,
    }
}

async fn story(store: &dyn Store) {
    let id = store.create(run("anna", Some(("key", "one")))).await.expect("created");
    let row = store.run(id).await.expect("read").expect("there");
    assert_eq!((row.seq, row.status, row.owner.as_str(), row.created_at), (1, Status::Running, "anna", 1_000));
    assert_eq!(row.setup, json!({ "icp": "ümlaut 😀" }));

    // The same key and request is the same run, for its owner only; another request is refused.
    assert_eq!(store.create(run("anna", Some(("key", "one")))).await.expect("found"), id);
    assert!(matches!(store.create(run("anna", Some(("key", "two")))).await, Err(StoreError::KeyReused)));
    assert_ne!(store.create(run("berta", Some(("key", "one")))).await.expect("created"), id);
    let key =
        |scope: &str, key: &str, fingerprint: &str| InputKey { scope: scope.into(), key: key.into(), fingerprint: fingerprint.into() };
    assert_eq!(store.started(&key("anna", "key", "one")).await.expect("read"), Some(id));
    assert!(matches!(store.started(&key("anna", "key", "two")).await, Err(StoreError::KeyReused)));
    for unknown in [key("anna", "other", "one"), key("carla", "key", "one")] {
        assert_eq!(store.started(&unknown).await.expect("read"), None, "{unknown:?}");
    }

    // Appends are fenced by the entry they follow, outcomes by the lease as well.
    let (first, second) = (store.claim(id, Uuid::new_v4()).await.expect("leased"), store.claim(id, Uuid::new_v4()).await.expect("leased"));
    assert!(second > first);
    store.append(append(id, 1, None, 2)).await.expect("appended");
    assert!(matches!(store.append(append(id, 1, None, 1)).await, Err(StoreError::Conflict)));
    assert!(matches!(store.append(append(id, 3, Some(first), 1)).await, Err(StoreError::Conflict)));
    store.append(append(id, 3, Some(second), 1)).await.expect("appended");
    assert!(matches!(store.append(append(Uuid::now_v7(), 1, None, 1)).await, Err(StoreError::Conflict)));
    let log = store.events(id, 1).await.expect("read");
    assert_eq!(
        log.iter().map(|row| (row.stamp, row.body.clone())).collect::<Vec<_>>(),
        [(2, 0), (3, 1), (4, 0)].map(|(seq, i)| (Stamp { seq, at: 2_000 }, json!({ "room": i })))
    );
    let row = store.run(id).await.expect("read").expect("there");
    assert_eq!(
        (row.seq, row.status, row.updated_at, row.input_tokens, row.output_tokens, row.cost_micros),
        (4, Status::Waiting, 2_000, 20, 10, 14)
    );

    // Partial texts replace each other, and go with the step they belong to.
    let text = |seq, message, text: &str| OpenText { run: id, seq, partial: Partial { message, text: text.into() } };
    store.save_partials(vec![text(4, 2, "He"), text(4, 3, "x"), text(4, 2, "Hello")]).await.expect("kept");
    // A text from before the last entry, and one of a run that is not there, are left out.
    let nowhere = OpenText { run: Uuid::now_v7(), ..text(0, 2, "nowhere") };
    store.save_partials(vec![text(3, 2, "old"), nowhere]).await.expect("kept");
    store.append(Append { open: vec![2], ..append(id, 4, None, 1) }).await.expect("appended");
    assert_eq!(store.partials(id).await.expect("read"), [Partial { message: 2, text: "Hello".into() }]);

    // Lists are an owner's own, the newest first; what is spent is counted for one or for all.
    let newer = store.create(NewRun { at: 5_000, ..run("anna", None) }).await.expect("created");
    let ids = |rows: Vec<RunRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(store.list("anna", "", 10).await.expect("read")), [newer, id]);
    assert_eq!(ids(store.list("anna", "", 1).await.expect("read")), [newer]);
    assert!(store.list("nobody", "", 10).await.expect("read").is_empty());
    assert_eq!(store.spent(Some("anna"), 0).await.expect("read"), Spent { runs: 2, tokens: 45 });
    assert_eq!(store.spent(None, 4_000).await.expect("read"), Spent { runs: 1, tokens: 0 });
    assert_eq!(store.running().await.expect("read").iter().filter(|(running, _)| *running == id).count(), 0);
    assert!(store.running().await.expect("read").contains(&(newer, "simulate".to_owned())));

    // A secret is made once.
    let secret = store.secret("signing").await.expect("made");
    assert_eq!((secret.len(), store.secret("signing").await.expect("read") == secret), (32, true));
    assert_ne!(store.secret("other").await.expect("made"), secret);
    store.ping().await.expect("alive");
}

async fn history(store: &dyn Store) {
    let found =
        async |words: &str| -> Vec<Uuid> { store.list("anna", words, 10).await.expect("read").into_iter().map(|row| row.id).collect() };
    let chat = |at| NewRun { external_id: Some("chat".into()), at, ..run("anna", None) };
    let first = store.create(chat(1_000)).await.expect("created");
    // Under a client's own id one conversation goes on at a time.
    assert_eq!(store.create(chat(1_500)).await.expect("found"), first);
    let said = vec![json!({ "room": { "answer": "A 5 % fee, says \"Anna\"", "raw": "{\"phase\":1}" } }), json!({ "room": 1 })];
    store.append(Append { bodies: said, ..append(first, 1, None, 0) }).await.expect("appended");

    // Names, pins, and a search through titles and what was said, in which signs of the query language are mere signs.
    store.change(first, RunChange::Title("100 % of bakeries".into())).await.expect("renamed");
    store.change(first, RunChange::Pinned(true)).await.expect("pinned");
    assert!(store.run(first).await.expect("read").expect("there").pinned);
    let words = [("", 1), ("0 % OF", 1), ("5 % FEE", 1), ("says \"anna\"", 1), ("%fee%", 0), ("answer", 0), ("phase", 0), ("_", 0)];
    for (words, count) in words {
        assert_eq!(found(words).await.len(), count, "{words}");
        assert_eq!(store.count("anna", words).await.expect("counted"), count as i64, "{words}");
    }
    assert!(matches!(store.change(Uuid::now_v7(), RunChange::Pinned(true)).await, Err(StoreError::NotFound)));

    // A client's id of its own means its newest conversation, and is an owner's own.
    let external = async |owner: &str| store.external(owner, "simulate", "chat").await.expect("read").map(|row| row.id);
    assert_eq!((external("anna").await, external("berta").await), (Some(first), None));
    let log = store.events(first, 0).await.expect("read")[..2].to_vec();
    let fork = NewRun { parent: Some(first), log: log.clone(), ..chat(6_000) };
    let fork = store.create(fork).await.expect("created");
    assert_eq!(external("anna").await, Some(fork));

    // A fork has a log of its own that begins as its parent's.
    assert_eq!(store.events(fork, 0).await.expect("read"), log);
    assert_eq!(store.run(fork).await.expect("read").map(|row| (row.seq, row.parent)), Some((2, Some(first))));
    assert_eq!(store.forks(first).await.expect("read").into_iter().map(|row| row.id).collect::<Vec<_>>(), [fork]);

    // A link is the same however often it is asked for, and opens nothing once it is revoked.
    assert_eq!(store.share(first, "one", 7_000).await.expect("shared"), "one");
    assert_eq!(store.share(first, "two", 7_000).await.expect("shared"), "one");
    assert_eq!((store.shared("one").await.expect("read"), store.shared("two").await.expect("read")), (Some(first), None));
    store.unshare(first).await.expect("revoked");
    assert_eq!((store.shared("one").await.expect("read"), store.share_of(first).await.expect("read")), (None, None));

    // A deleted run is in no list, comes back by an undo, and goes for good when it is purged.
    store.change(fork, RunChange::Deleted(Some(8_000))).await.expect("deleted");
    assert_eq!(found("").await, [first]);
    assert_eq!(store.purge(8_000, None).await.expect("purged"), 0);
    store.change(fork, RunChange::Deleted(None)).await.expect("undone");
    assert_eq!(found("").await, [first, fork], "the pinned one comes first");
    // What is pinned or running is not purged for its age.
    assert_eq!(store.purge(0, Some(9_000)).await.expect("purged"), 0);
    store.change(fork, RunChange::Deleted(Some(8_000))).await.expect("deleted");
    assert_eq!(store.purge(8_001, None).await.expect("purged"), 1);
    assert!(store.run(fork).await.expect("read").is_none() && store.events(fork, 0).await.expect("read").is_empty());

    // Personas are an owner's own, in each room; the same name replaces.
    let persona = |name: &str, text: &str| PersonaRow { name: name.into(), text: text.into() };
    let save = async |owner: &str, room: &str, name: &str, text: &str| {
        store.save_persona(owner, room, persona(name, text), 9_000).await.expect("saved");
    };
    let saved = async |owner: &str, room: &str| store.personas(owner, room).await.expect("read");
    for text in ["Marta, 41", "Marta, 42"] {
        save("anna", "simulate", "Marta", text).await;
    }
    save("anna", "simulate", "Ben", "Ben, 30").await;
    save("anna", "debate", "Ben", "Ben doubts").await;
    save("anna", "debate", "Marta", "Marta insists").await;
    save("berta", "debate", "Marta", "another").await;
    store.delete_persona("anna", "simulate", "Ben").await.expect("deleted");
    assert_eq!(saved("anna", "simulate").await, [persona("Marta", "Marta, 42")]);
    assert_eq!(saved("anna", "debate").await, [persona("Ben", "Ben doubts"), persona("Marta", "Marta insists")]);

    // Erased: no word is left, nobody can write any more, and the budget still knows what was spent.
    let spent = store.spent(None, 0).await.expect("read");
    let erased = store.erase("anna", 10_000).await.expect("erased");
    assert_eq!(erased, [first]);
    let late = OpenText { run: first, seq: 0, partial: Partial { message: 2, text: "late".into() } };
    store.save_partials(vec![late]).await.expect("ignored");
    assert!(store.partials(first).await.expect("read").is_empty(), "a call that still goes on writes nothing");
    assert!(found("").await.is_empty());
    assert!(saved("anna", "simulate").await.is_empty() && saved("anna", "debate").await.is_empty());
    assert_eq!(saved("berta", "debate").await.len(), 1);
    assert!(store.events(first, 0).await.expect("read").is_empty());
    assert_eq!(
        store.run(first).await.expect("read").map(|row| (row.owner, row.title, row.setup)),
        Some((String::new(), String::new(), json!(null)))
    );
    assert!(matches!(store.append(append(first, 3, None, 1)).await, Err(StoreError::Conflict)));
    assert_eq!(store.spent(None, 0).await.expect("read"), spent);
}

#[tokio::test]
async fn the_story_on_sqlite() {
    let (store, _folder) = sqlite().await;
    story(&store).await;
}

#[tokio::test]
async fn the_story_of_the_history_on_sqlite() {
    let (store, _folder) = sqlite().await;
    history(&store).await;
}

#[tokio::test]
async fn a_file_has_one_process_and_is_free_again_after_it() {
    let (store, folder) = sqlite().await;
    let second = SqliteStore::open(&url(&folder)).await.err().expect("refused").to_string();
    assert!(second.contains("in use by another Colloquy process"), "{second}");
    let id = store.create(run("anna", None)).await.expect("created");
    drop(store);
    // The writer lets go of the file once it has seen that nobody writes any more.
    let again = SqliteStore::open(&url(&folder)).await.expect("free again");
    assert!(again.run(id).await.expect("read").is_some());
}

#[tokio::test]
async fn personas_from_before_they_had_a_room_are_the_simulators() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut early = sqlx::migrate!("src/store/migrations");
    early.migrations.to_mut().truncate(2);
    let options = url(&folder).parse::<SqliteConnectOptions>().expect("an address").create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opened");
    early.run(&mut connection).await.expect("tables");
    let save = "INSERT INTO personas (owner, name, text, updated_at) VALUES ('anna', 'Marta', 'Marta, 41', 1)";
    sqlx::query(save).execute(&mut connection).await.expect("saved");
    connection.close().await.expect("closed");
    let store = SqliteStore::open(&url(&folder)).await.expect("brought up to date");
    let marta = PersonaRow { name: "Marta".into(), text: "Marta, 41".into() };
    assert_eq!(store.personas("anna", "simulate").await.expect("read"), [marta]);
    assert!(store.personas("anna", "debate").await.expect("read").is_empty());
}

#[tokio::test]
async fn many_writers_at_once_lose_nothing_and_double_nothing() {
    let (store, _folder) = sqlite().await;
    let id = store.create(run("anna", None)).await.expect("created");
    let attempts = (0..200).map(|i| store.append(append(id, 1 + i % 20, None, 1)));
    let landed = futures::future::join_all(attempts).await.into_iter().filter(Result::is_ok).count();
    let log = store.events(id, 0).await.expect("read");
    assert_eq!(log.len(), 1 + landed);
    assert!(log.iter().zip(1..).all(|(row, seq)| row.stamp.seq == seq));
}

#[tokio::test]
async fn writes_that_come_together_are_each_judged_by_their_own_fence() {
    let (store, _folder) = sqlite().await;
    let store = std::sync::Arc::new(store);
    let mut runs = Vec::new();
    for _ in 0..40 {
        runs.push(store.create(run("anna", None)).await.expect("created"));
    }
    let epoch = store.claim(runs[0], Uuid::new_v4()).await.expect("leased");
    // Of each run one append that fits, one behind it, one that is late; here and there a lease that is not held.
    let appends = runs.iter().flat_map(|id| {
        let lease = (*id == runs[0]).then_some(epoch);
        [append(*id, 1, lease, 2), append(*id, 3, None, 1), append(*id, 1, None, 1), append(*id, 4, Some(epoch + 1), 1)]
    });
    // Tasks begin in the order in which they are spawned here.
    let appends = appends.map(|append| {
        tokio::spawn({
            let store = store.clone();
            async move { store.append(append).await.is_ok() }
        })
    });
    let landed = futures::future::join_all(appends.collect::<Vec<_>>()).await;
    for four in landed.chunks(4) {
        assert_eq!(four.iter().map(|landed| *landed.as_ref().expect("it ends")).collect::<Vec<_>>(), [true, true, false, false]);
    }
    for id in runs {
        let log = store.events(id, 1).await.expect("read");
        assert_eq!(
            log.iter().map(|row| (row.stamp.seq, row.body["room"].as_i64())).collect::<Vec<_>>(),
            [(2, Some(0)), (3, Some(1)), (4, Some(0))]
        );
        let row = store.run(id).await.expect("read").expect("there");
        assert_eq!((row.seq, row.input_tokens, row.status), (4, 20, Status::Waiting));
    }
}

#[tokio::test]
async fn a_backup_is_a_whole_prefix_of_what_goes_on_being_written() {
    use std::os::unix::fs::PermissionsExt;
    let (store, folder) = sqlite().await;
    let id = store.create(run("anna", None)).await.expect("created");
    let file = folder.path().join("copy.db");
    let (from, copying) = (url(&folder), async {
        while store.run(id).await.expect("read").expect("there").seq < 50 {
            tokio::task::yield_now().await;
        }
        SqliteStore::backup(&url(&folder), &file).await.expect("copied")
    });
    let writing = async {
        for after in 1..400 {
            store.append(append(id, after, None, 1)).await.expect("appended");
        }
    };
    let (size, ()) = tokio::join!(copying, writing);
    let held = std::fs::metadata(&file).expect("there");
    assert_eq!((held.len(), held.permissions().mode() & 0o777), (size, 0o600));
    let own = url(&folder);
    let own = std::fs::metadata(own.trim_start_matches("sqlite://")).expect("there");
    assert_eq!(own.permissions().mode() & 0o777, 0o600);

    // Nothing is overwritten, and a copy that cannot be made leaves nothing behind.
    let again = SqliteStore::backup(&from, &file).await.expect_err("refused").to_string();
    assert!(again.contains("Nothing is overwritten"), "{again}");
    let missing = format!("sqlite://{}/none.db", folder.path().display());
    assert!(SqliteStore::backup(&missing, &folder.path().join("other.db")).await.is_err());
    assert!(!folder.path().join("other.db").exists());

    // What it holds is the log up to one moment, and its row agrees.
    let copy = SqliteStore::open(&format!("sqlite://{}", file.display())).await.expect("a store");
    let (log, all) = (copy.events(id, 0).await.expect("read"), store.events(id, 0).await.expect("read"));
    assert!((50..=400).contains(&log.len()) && all.starts_with(&log), "{} of {}", log.len(), all.len());
    assert_eq!(copy.run(id).await.expect("read").expect("there").seq, log.len() as i64);
    copy.append(append(id, log.len() as i64, None, 1)).await.expect("it can be gone on with");
}

#[tokio::test]
async fn wrong_addresses_are_said_to_be_wrong() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let below_a_file = format!("sqlite://{}/colloquy.db", file.path().display());
    let said = SqliteStore::open(&below_a_file).await.err().expect("refused").to_string();
    assert!(said.contains("cannot be written"), "{said}");
}
