use super::*;

#[test]
fn starters_are_few_short_and_whole() {
    let starter = |text: &str| Starter { text: text.into(), ..Starter::default() };
    assert_eq!(checked(&[starter(" Hello ")]).expect("good"), [starter("Hello")]);
    let with_args = Starter { args: Map::from_iter([("a".to_owned(), 1.into())]), ..starter("Hello") };
    for (bad, named) in [
        (vec![starter("x"); 5], "starters"),
        (vec![starter("x"), starter(" ")], "starters[1].text"),
        (vec![with_args], "starters[0].tool"),
        (vec![starter(&"x".repeat(301))], "starters[0].text"),
    ] {
        assert_eq!(checked(&bad).expect_err("bad").field, named);
    }
}
