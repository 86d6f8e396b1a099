//! Parts of JSON texts.

use super::numbers::one;

/// Appends a comma before every element but the first.
pub fn comma(json: &mut String, index: usize) {
    if index > 0 {
        json.push(',');
    }
}

/// Appends a key with a number, and a comma.
pub fn number(json: &mut String, key: &str, value: f64) {
    *json += &format!("\"{key}\":");
    one(json, value);
    json.push(',');
}

/// Appends a key with a text, and a comma.
pub fn text(json: &mut String, key: &str, value: &str) {
    *json += &format!("\"{key}\":{},", serde_json::Value::from(value));
}

/// Returns evenly spaced indices, at most about `most`, with the last one.
pub fn every(len: usize, most: usize) -> Vec<usize> {
    let step = len.div_ceil(most.max(1)).max(1);
    let mut kept: Vec<usize> = (0..len).step_by(step).collect();
    if len > 0 && kept.last() != Some(&(len - 1)) {
        kept.push(len - 1);
    }
    kept
}
