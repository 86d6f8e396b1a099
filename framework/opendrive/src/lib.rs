//! Road networks in OpenDRIVE 1.4 to 1.8: positions, lanes, heights, and routes.
//!
//! [`read`] reads a file into a [`Network`]. [`Network::lane_pose`] returns position, heading, width, curvature and speed
//! limit of a place in a lane, [`Network::nearest`] the lane at a position, and [`Network::route`] the lanes from one place
//! to another. Nothing here depends on worlds or on physics.
//!
//! | Part of the format | Read |
//! |---|---|
//! | reference lines | line, arc, spiral, poly3, paramPoly3 with both ranges, by true arc length |
//! | profiles | elevation, superelevation, crossfall, lateral shape, lane offset |
//! | lanes | sections, width, border, height, type, speed, friction of materials, road marks, links, rules LHT and RHT |
//! | networks | links of roads, junctions with lane links, `geoReference`, offset of the header |
//! | objects | places of bridges and tunnels along a road; sizes, outlines and copies of all others |
//!
//! [`DrivenRoads`] makes a network the ground of vehicles, with surface and marks in colours as a mesh.
//! [`Network::obstacles`] returns the objects with a height as prisms.
//!
//! Everything else is noted once, with its first line: see [`COVERAGE`].
//!
//! Frames are right-handed: s along the reference line, t to its left, z up; angles are counter-clockwise, in rad. Lengths
//! are in m, speeds in m/s. Source: ASAM OpenDRIVE 1.8.
//!
//! ```
//! let text = r#"<OpenDRIVE><header revMajor="1" revMinor="7"/>
//!   <road id="1" length="100" junction="-1">
//!     <planView><geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView>
//!     <lanes><laneSection s="0"><center><lane id="0" type="none"/></center>
//!       <right><lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
//!     </laneSection></lanes>
//!   </road></OpenDRIVE>"#;
//! let network = simhost_opendrive::read(text).unwrap();
//! let pose = network.lane_pose(0, 20.0, -1, 0.0).unwrap();
//! assert_eq!(pose.place, [20.0, -1.75, 0.0]);
//! let found = network.nearest([30.0, -2.0], None, None, |lane| lane.kind == "driving").unwrap();
//! assert_eq!((found.on.s, found.lane, found.offset), (30.0, -1, -0.25));
//! ```

mod cubic;
mod driven;
mod index;
mod march;
mod marks;
mod math;
mod network;
mod object;
mod obstacles;
mod plan;
mod reader;
mod road;
mod road_map;
mod route;
mod surface;

pub use cubic::{Cubic, RoadProfile};
pub use driven::{DrivenRoads, is_driven};
pub use network::{Connection, Junction, LanePlace, LanePose, Network, RoadPlace, RoadPose};
pub use object::{ObjectCorner, ObjectOutline, ObjectRepeat, ObjectSize, RoadObject};
pub use obstacles::RoadObstacle;
pub use plan::{PlanPiece, PlanPose, PlanShape, wrapped};
pub use reader::{COVERAGE, read};
pub use road::{
    CrossSection, Crossfall, Lane, LaneEdge, LaneEdges, LaneSection, LaneType, NetworkRoad,
    RoadLink, RoadMark,
};
pub use route::LaneKey;
pub use simhost_xml::{Note, ReadError};
