//! Runs that go on from the middle of others.

use super::*;

impl House {
    async fn fork(&self, parent: Uuid, turn: u32, words: &str) -> Result<Uuid, AppError> {
        let row = self.engine.store().run(parent).await.expect("read").expect("there");
        let room = self.engine.room("counting").expect("there");
        self.engine.create(room.fork(&self.engine, &row, turn, words.to_owned()).await?).await
    }

    async fn wording(&self, run: Uuid, turn: u32) -> Option<Wording> {
        let log = self.engine.store().events(run, 0).await.expect("read");
        self.engine.room("counting").expect("there").wording(&log, turn)
    }
}

#[tokio::test]
async fn a_fork_begins_as_its_parent_says_it_differently_and_goes_on_by_itself() {
    let house = house(&[Turn::Says("one"), Turn::Says("two"), Turn::Says("three"), Turn::Says("drei")]).await;
    let parent = house.start(3).await;
    let told = house.ended(parent).await;
    let fork = house.fork(parent, 1, "zwei").await.expect("forked");
    let run = house.ended(fork).await;
    assert_eq!((run.status(), run.state.said.clone()), (Status::Done, ["one", "zwei", "drei"].map(str::to_owned).to_vec()));
    assert_eq!(house.words(fork).await, ["started", "step_started", "usage", "said", "forked", "said", "step_started", "usage", "said"]);
    // What is copied keeps its place and time, and is not spent again.
    let (store, log) = (house.engine.store(), async |id| house.engine.store().events(id, 0).await.expect("read"));
    assert_eq!(log(fork).await[1..4], log(parent).await[1..4]);
    assert_eq!((run.progress.calls.len(), run.progress.own_calls().len(), run.progress.tokens()), (2, 1, Some((3, 2))));
    let row = store.run(fork).await.expect("read").expect("there");
    assert_eq!((row.parent, row.owner.as_str(), row.input_tokens, row.status), (Some(parent), "anna", 3, Status::Done));
    assert_eq!(row.title, "Counting · “zwei”");
    assert_eq!(store.forks(parent).await.expect("read").into_iter().map(|row| row.id).collect::<Vec<_>>(), [fork]);
    // The parent is as it was, and the fork folds for whoever follows it.
    assert_eq!(house.ended(parent).await, told);
    assert_eq!(house.until(fork, |reader| reader.run.seq == 9).await.run, run);
}

#[tokio::test]
async fn what_stopped_a_run_does_not_stop_its_fork() {
    let house = house(&[Turn::Says("one"), Turn::Hangs("half a"), Turn::Says("end")]).await;
    let parent = house.start(3).await;
    house.until(parent, |reader| reader.texts.iter().any(|open| open.text == "half a")).await;
    // A running run is copied as far as it is recorded.
    let early = house.fork(parent, 1, "two").await.expect("forked");
    assert_eq!(house.ended(early).await.state.said, ["one", "two", "end"]);
    assert_eq!(house.wording(parent, 1).await, None, "it is still being said");
    house.act(parent, Verb::Stop).await.expect("stopped");
    let words = async |turn| house.wording(parent, turn).await.map(|wording| (wording.text, wording.max));
    assert_eq!(words(0).await, Some(("one".to_owned(), 9)));
    assert_eq!(words(1).await, Some(("half a".to_owned(), 9)), "what the stop has left");
    assert_eq!(words(2).await, None);
    let late = house.fork(parent, 1, "due").await.expect("forked");
    let run = house.ended(late).await;
    assert_eq!((run.status(), run.state.said.clone()), (Status::Done, ["one", "due", "word"].map(str::to_owned).to_vec()));
    assert!(run.progress.halt.is_none());
    assert_eq!(house.ended(parent).await.status(), Status::Stopped);
}

#[tokio::test]
async fn a_fork_of_a_fork_holds_both() {
    let house = house(&[]).await;
    let first = house.start(3).await;
    house.ended(first).await;
    let second = house.fork(first, 1, "b").await.expect("forked");
    house.ended(second).await;
    let third = house.fork(second, 2, "c").await.expect("forked");
    assert_eq!(house.ended(third).await.state.said, ["word", "b", "c"]);
    assert_eq!(house.words(third).await, ["started", "step_started", "usage", "said", "forked", "said", "forked", "said"]);
}

#[tokio::test]
async fn what_cannot_be_said_is_refused_and_starts_nothing() {
    let house = house(&[]).await;
    let parent = house.start(2).await;
    house.ended(parent).await;
    for (turn, words, field) in [(0, "no", "words"), (3, "yes", "step"), (u32::MAX, "yes", "step")] {
        let refused = house.fork(parent, turn, words).await.expect_err("refused");
        assert!(refused.at(field).is_some(), "{turn} {words}: {refused:?}");
    }
    assert!(house.engine.store().forks(parent).await.expect("read").is_empty());
}
