//! What a rolling wheel shows of its tyre: moments, radii, contact patch and relaxation lengths.

use simhost_sdk::Ports;

/// Moments, radii and contact patch of a tyre, each 0 without its coefficients. All but the first two need `details`.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Rolling {
    /// Moment of the ground about the vertical axis of the wheel, positive counter-clockwise; 0 without the
    /// coefficients `QDZ1` and so on of the tyre file.
    #[port(unit = "N·m")]
    pub aligning_moment: f64,
    /// Effective rolling radius under the load: speed per spin of a wheel that rolls freely.
    #[port(unit = "m")]
    pub rolling_radius: f64,
    /// Moment of the ground about the forward axis of the wheel, positive where it leans the wheel to its right; acts on
    /// nothing.
    #[port(unit = "N·m")]
    pub overturning_moment: f64,
    /// Moment of the rolling resistance of the file about the leftward axis of the wheel, negative while it rolls
    /// forwards; it acts with `<resistance>file</resistance>`.
    #[port(unit = "N·m")]
    pub resistance_moment: f64,
    /// Distance behind the wheel centre at which the lateral force acts.
    #[port(unit = "m")]
    pub pneumatic_trail: f64,
    /// Deflection of the tyre under its load.
    #[port(unit = "m")]
    pub deflection: f64,
    /// Distance of the wheel centre from the ground along the wheel plane; 0 without a vertical stiffness.
    #[port(unit = "m")]
    pub loaded_radius: f64,
    /// Length of the contact patch.
    #[port(unit = "m")]
    pub contact_length: f64,
    /// Width of the contact patch.
    #[port(unit = "m")]
    pub contact_width: f64,
    /// Longitudinal relaxation length of the file; it acts with a `<use_mode>` from 10 on.
    #[port(unit = "m")]
    pub longitudinal_relaxation: f64,
    /// Lateral relaxation length of the file; it acts with a `<use_mode>` from 10 on.
    #[port(unit = "m")]
    pub lateral_relaxation: f64,
}
