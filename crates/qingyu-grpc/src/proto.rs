//! Messages and services generated from `proto/qingyu/v1`, where they are documented.

tonic::include_proto!("qingyu.v1");
