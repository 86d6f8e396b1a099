//! Numbers in JSON, with six significant digits.

/// Appends a list of numbers; those that are not finite are `null`.
pub fn list(json: &mut String, numbers: impl IntoIterator<Item = f64>) {
    json.push('[');
    for (k, number) in numbers.into_iter().enumerate() {
        if k > 0 {
            json.push(',');
        }
        one(json, number);
    }
    json.push(']');
}

/// Appends a list of numbers with so many digits that their differences have six: the values of a
/// latitude, for instance, begin with the same digits.
pub fn list_of_spread(json: &mut String, numbers: impl Iterator<Item = f64> + Clone) {
    let finite = numbers.clone().filter(|number| number.is_finite());
    let ends = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], number| {
        [low.min(number), high.max(number)]
    });
    let largest = ends[0].abs().max(ends[1].abs());
    let spread = ends[1] - ends[0];
    let decimals = 5.0 - spread.log10().floor();
    if !(spread > 0.0 && spread < 0.1 * largest && decimals <= 15.0) {
        list(json, numbers);
        return;
    }
    let power = 10_f64.powi(decimals as i32);
    json.push('[');
    for (k, number) in numbers.enumerate() {
        if k > 0 {
            json.push(',');
        }
        match number.is_finite() {
            true => json.push_str(&((number * power).round() / power).to_string()),
            false => json.push_str("null"),
        }
    }
    json.push(']');
}

/// Appends a list of times, which have more digits than other numbers.
pub fn list_times(json: &mut String, times: impl Iterator<Item = f64>) {
    let texts: Vec<String> = times.map(|time| ((time * 1e6).round() / 1e6).to_string()).collect();
    *json += &format!("[{}]", texts.join(","));
}

/// Appends a number.
pub fn one(json: &mut String, number: f64) {
    if !number.is_finite() {
        json.push_str("null");
        return;
    }
    let digits = match number == 0.0 {
        true => 0,
        false => 5 - number.abs().log10().floor() as i32,
    };
    let text = match (-9..=12).contains(&digits) {
        true => {
            let power = 10_f64.powi(digits);
            // at large numbers, the shortest text of the rounded number has fewer digits
            ((number * power).round() / power).to_string()
        }
        false => format!("{number:e}"),
    };
    json.push_str(&text);
}

/// Returns the indices of at most about `most` samples: all, or the extremes of equal parts.
pub fn thinned(values: &[f64], most: usize) -> Vec<usize> {
    if values.len() <= most {
        return (0..values.len()).collect();
    }
    let part = values.len().div_ceil((most / 2).max(1));
    let mut kept = vec![0];
    for start in (0..values.len()).step_by(part) {
        let range = start..(start + part).min(values.len());
        let by = |one: &usize, other: &usize| values[*one].total_cmp(&values[*other]);
        let (low, high) = (range.clone().min_by(by), range.max_by(by));
        let mut both = [low.unwrap_or(start), high.unwrap_or(start)];
        both.sort_unstable();
        kept.extend(both);
    }
    kept.push(values.len() - 1);
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        let mut json = String::new();
        list(&mut json, [0.0, 1.0 / 3.0, -12_345.678_9, f64::NAN, 1e-20, 2.5e9]);
        assert_eq!(json, "[0,0.333333,-12345.7,null,1e-20,2500000000]");
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }

    #[test]
    fn differences_have_six_digits() {
        let mut json = String::new();
        // 1 mm of latitude
        let values = [48.123_456_78, 48.123_456_79, 48.123_466_78, f64::NAN];
        list_of_spread(&mut json, values.into_iter());
        assert_eq!(json, "[48.12345678,48.12345679,48.12346678,null]");
        json.clear();
        list_of_spread(&mut json, [1.0, 2.0, 1.0 / 3.0].into_iter());
        assert_eq!(json, "[1,2,0.333333]");
        json.clear();
        list_of_spread(&mut json, [f64::NAN, 5.0].into_iter());
        assert_eq!(json, "[null,5]");
    }

    #[test]
    fn thinning_keeps_peaks() {
        let mut values = vec![0.0; 10_000];
        values[5_003] = 9.0;
        values[7_777] = -9.0;
        let kept = thinned(&values, 200);
        assert!(kept.len() <= 204, "{}", kept.len());
        assert!(kept.contains(&5_003) && kept.contains(&7_777) && kept.contains(&9_999));
        assert!(kept.is_sorted());
        assert_eq!(thinned(&values[..10], 200).len(), 10);
    }
}
