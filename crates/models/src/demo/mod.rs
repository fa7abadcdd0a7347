//! The demo model: deterministic, without a vendor, and honest about what it is.
pub struct DemoModel;
impl DemoModel {
    pub fn new(_: std::time::Duration) -> Self {
        Self
    }
}
#[async_trait::async_trait]
impl baton_core::models::ChatModel for DemoModel {
    async fn call(
        &self,
        _: baton_core::models::ModelRequest,
    ) -> Result<baton_core::models::ModelStream, baton_core::models::ModelError> {
        use baton_core::models::*;
        Ok(Box::pin(futures::stream::iter(vec![
            Ok(ModelEvent::Text("Hello.".into())),
            Ok(ModelEvent::End { stop: StopReason::End, usage: Usage::NOTHING }),
        ])))
    }
}
