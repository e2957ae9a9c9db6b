//! The descriptor that reflection serves.

use prost::Message;
use prost_types::FileDescriptorSet;

#[test]
fn the_descriptor_has_imports_and_comments() {
    let FileDescriptorSet { file } = FileDescriptorSet::decode(qingyu_grpc::DESCRIPTOR).unwrap();
    let names: Vec<&str> = file.iter().map(prost_types::FileDescriptorProto::name).collect();
    for name in ["google/protobuf/struct.proto", "google/protobuf/timestamp.proto"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let ours: Vec<_> = file.iter().filter(|file| file.package() == "qingyu.v1").collect();
    assert_eq!(ours.len(), 5, "{names:?}");
    for file in ours {
        let locations = file.source_code_info.iter().flat_map(|info| &info.location);
        assert!(locations.filter(|location| location.leading_comments.is_some()).count() > 3, "{}", file.name());
    }
}
