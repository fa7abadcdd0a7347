//! On series that are made up, with a season, a trend and noise: the interval holds as often as it says, the method is
//! better than taking no thought, and the same history gives the same forecast.

use baton_core::figures::{
    Bucket, Figure, Grain, INTERVAL_PERCENT, NoForecast, SeasonalModel, buckets, forecast,
};

use super::Mstl;

/// About normal.
fn noise(rng: &mut fastrand::Rng) -> f64 {
    (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0
}

fn made_up(rng: &mut fastrand::Rng, season: usize, length: usize) -> Vec<f64> {
    let (level, slope) = (1_000.0 + rng.f64() * 500.0, rng.f64() * 4.0 - 1.0);
    let (swing, spread) = (100.0 + rng.f64() * 200.0, 10.0 + rng.f64() * 30.0);
    let wave = |n: usize| (std::f64::consts::TAU * (n % season) as f64 / season as f64).sin();
    (0..length).map(|n| level + slope * n as f64 + swing * wave(n) + spread * noise(rng)).collect()
}

fn history(by: Grain, values: &[f64]) -> Vec<(Bucket, i64)> {
    let first = by.start("2020-06-10".parse().unwrap());
    let mut from = first;
    let mut all = Vec::new();
    for value in values {
        let period = Bucket { from, to: by.end(from) };
        assert_eq!(buckets(period, by).unwrap(), [period]);
        all.push((period, value.round() as i64));
        from = by.step(from, 1);
    }
    all
}

fn figure() -> &'static Figure {
    Figure::find("turns").unwrap()
}

#[test]
fn the_interval_holds_as_often_as_it_says() {
    let mut rng = fastrand::Rng::with_seed(17);
    for (by, seasons, ahead) in [(Grain::Day, 8, 7), (Grain::Month, 5, 6)] {
        let season = by.season();
        let (mut held, mut all, mut best) = (0u32, 0u32, 0u32);
        const SERIES: u32 = 16;
        for _ in 0..SERIES {
            let known = season * seasons;
            let values = made_up(&mut rng, season, known + ahead);
            let told = forecast(&Mstl, figure(), by, &history(by, &values[..known]), ahead).unwrap();
            assert_eq!((told.points.len(), told.season), (ahead, season));
            for (point, came) in told.points.iter().zip(&values[known..]) {
                all += 1;
                held += u32::from((point.lower as f64..=point.upper as f64).contains(came));
            }
            best += u32::from(told.accuracy.unwrap().is_best());
        }
        let percent = held * 100 / all;
        let asked = u32::from(INTERVAL_PERCENT);
        assert!((asked - 20..=asked + 15).contains(&percent), "by {by}: {percent} % within");
        assert!(best * 10 >= SERIES * 7, "by {by}: best in {best} of {SERIES}");
    }
}

#[test]
fn the_same_history_gives_the_same_forecast_in_every_unit() {
    let mut rng = fastrand::Rng::with_seed(3);
    let values = made_up(&mut rng, 7, 60);
    let (once, again) = (Mstl.predict(&values, 7, 7).unwrap(), Mstl.predict(&values, 7, 7).unwrap());
    assert_eq!(once, again);
    let larger: Vec<f64> = values.iter().map(|value| value * 1e9).collect();
    for (small, large) in once.iter().zip(Mstl.predict(&larger, 7, 7).unwrap()) {
        assert!((small.value * 1e9 - large.value).abs() <= small.value.abs() * 1e6, "{small:?} {large:?}");
    }
}

#[test]
fn too_little_history_is_refused_in_words() {
    let mut values = vec![0.0; 30];
    values.extend((0..13).map(f64::from).map(|n| n + 1.0));
    let refused = forecast(&Mstl, figure(), Grain::Day, &history(Grain::Day, &values), 7).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Turns of agents can't be forecast by day: a forecast needs two seasons, which are 14 whole days, and there are 13"
    );
    values.push(20.0);
    // Two seasons are enough, and too short to keep any of it back.
    let told = forecast(&Mstl, figure(), Grain::Day, &history(Grain::Day, &values), 7).unwrap();
    assert_eq!((told.history.len(), told.accuracy), (14, None));
    let same = history(Grain::Day, &[5.0; 30]);
    let refused = forecast(&Mstl, figure(), Grain::Day, &same, 7).unwrap_err();
    assert!(matches!(refused, NoForecast::NeverChanged(..)), "{refused}");
}

/// Whatever was recorded, there is a forecast or a reason, and what was never below nothing stays there.
#[test]
fn any_history_gives_numbers_or_a_reason() {
    let mut rng = fastrand::Rng::with_seed(99);
    for round in 0..60 {
        let by = Grain::ALL[round % 3];
        let length = rng.usize(0..by.season() * 3);
        let values: Vec<f64> = (0..length)
            .map(|_| match rng.u8(0..4) {
                0 => 0.0,
                1 => f64::from(rng.u16(..)),
                2 => rng.f64() * 9e14,
                _ => f64::from(rng.u8(..)),
            })
            .collect();
        if let Ok(told) = forecast(&Mstl, figure(), by, &history(by, &values), 10) {
            for point in told.points {
                assert!(0 <= point.lower && point.lower <= point.value && point.value <= point.upper);
            }
        }
    }
}
