//! Fixes of satellite navigation receivers.

use super::declare::stream_type;
use crate::ros::writer::{Number, Writer};
use crate::source::Source;
use crate::stream::Stream;

stream_type! {
    /// Position on the ellipsoid WGS 84.
    NavSatFix as "sensor_msgs/msg/NavSatFix" {
        /// Latitude, positive northwards.
        latitude: f64, "deg";
        /// Longitude, positive eastwards.
        longitude: f64, "deg";
        /// Height above the ellipsoid.
        altitude: f64, "m";
        /// -1 without a fix, 0 with one, 1 with satellite corrections, 2 with ground corrections.
        status: i8, "1";
        /// Variances of the position along east and north, and of the height; NaN if they are unknown.
        variance: [f64; 2], "m²";
    }
    definitions {
        "sensor_msgs/NavSatFix":
            "std_msgs/Header header\nNavSatStatus status\nfloat64 latitude\nfloat64 longitude\n\
         float64 altitude\nfloat64[9] position_covariance\nuint8 COVARIANCE_TYPE_UNKNOWN=0\n\
         uint8 COVARIANCE_TYPE_APPROXIMATED=1\nuint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2\n\
         uint8 COVARIANCE_TYPE_KNOWN=3\nuint8 position_covariance_type\n";
        "sensor_msgs/NavSatStatus":
            "int8 STATUS_UNKNOWN=-2\nint8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\n\
         int8 STATUS_GBAS_FIX=2\nint8 status -2\nuint16 SERVICE_UNKNOWN=0\nuint16 SERVICE_GPS=1\n\
         uint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\n\
         uint16 service\n";
    }
    sources {
        Source::sensor("simhost/gnss", "fix", &[
            "latitude", "longitude", "altitude", "status", "horizontal_variance", "vertical_variance",
        ]);
    }
}

impl NavSatFix {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        const GPS: u16 = 1;
        const UNKNOWN: u8 = 0;
        const DIAGONAL_KNOWN: u8 = 2;
        to.header(self.stamp, &stream.frame);
        to.open("status");
        to.number("status", Number::I8(self.status));
        to.number("service", Number::U16(GPS));
        to.close();
        to.f64("latitude", self.latitude);
        to.f64("longitude", self.longitude);
        to.f64("altitude", self.altitude);
        let [horizontal, vertical] = self.variance;
        let is_known = horizontal.is_finite() && vertical.is_finite();
        let variances = if is_known { [horizontal, horizontal, vertical] } else { [0.0; 3] };
        to.covariance("position_covariance", variances);
        to.u8("position_covariance_type", if is_known { DIAGONAL_KNOWN } else { UNKNOWN });
    }
}
