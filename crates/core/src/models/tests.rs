use super::*;

#[test]
fn cached_tokens_have_their_own_price() {
    let price = Price { input: 3.0, output: 15.0, cache_read: Some(0.3), cache_write: Some(3.75) };
    let usage = Usage {
        input_tokens: 1_000,
        cache_read_tokens: 600,
        cache_write_tokens: 200,
        output_tokens: 100,
        reasoning_tokens: 50,
    };
    assert_eq!(price.cost_micros(&usage), 200 * 3 + 180 + 750 + 1_500);
    let plain = Price { cache_read: None, cache_write: None, ..price };
    assert_eq!(plain.cost_micros(&Usage { output_tokens: 0, ..usage }), 3_000);
}
