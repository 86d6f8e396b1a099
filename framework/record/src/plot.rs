//! placeholder
/// x
pub fn trajectory_svg(_paths: &[(String, Vec<[f64; 2]>)]) -> String {
    String::new()
}
