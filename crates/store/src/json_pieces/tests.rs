use futures::StreamExt;
use serde_json::json;

use super::*;

#[tokio::test]
async fn pieces_are_one_value_however_large() {
    let long = "x".repeat(PIECE);
    let text = long.clone();
    let pieces = written(|mut json| async move {
        json.object();
        json.field("a\"b", &1).await?;
        json.list("none");
        json.end().await?;
        json.list("some");
        for _ in 0..3 {
            json.object();
            json.fields(&json!({"text": text, "n": null})).await?;
            json.end().await?;
        }
        json.item(&2).await?;
        json.end().await?;
        json.end().await
    });
    let pieces: Vec<String> = pieces.map(|piece| piece.expect("a piece")).collect().await;
    assert_eq!(pieces.len(), 4);
    let one = json!({"text": long, "n": null});
    let whole: Value = serde_json::from_str(&pieces.concat()).expect("JSON");
    assert_eq!(whole, json!({"a\"b": 1, "none": [], "some": [one, one, one, 2]}));
}

#[tokio::test]
async fn a_reader_that_goes_ends_the_writer() {
    let (ended, end) = tokio::sync::oneshot::channel();
    let mut pieces = written(|mut json| async move {
        json.object();
        json.list("endless");
        let end = loop {
            if let Err(error) = json.item(&"x".repeat(PIECE)).await {
                break error;
            }
        };
        let _ = ended.send(());
        Err(end)
    });
    assert!(pieces.next().await.is_some_and(|piece| piece.is_ok()));
    drop(pieces);
    assert!(end.await.is_ok());
}

#[tokio::test]
async fn what_goes_wrong_is_the_last_that_is_heard() {
    let pieces = written(|mut json| async move {
        json.object();
        json.field("a", &1).await?;
        Err(Error::Unavailable)
    });
    let pieces: Vec<_> = pieces.collect().await;
    assert!(matches!(pieces[..], [Err(Error::Unavailable)]));
}
