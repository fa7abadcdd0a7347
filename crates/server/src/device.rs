//! A browser in which somebody has signed in before, known by a signed cookie that names the accounts. Failed sign-ins
//! from such a browser are counted apart, so somebody who guesses at a password elsewhere can't lock the account's
//! owner out.

use axum_extra::extract::CookieJar;
use baton_core::ids::ProfileId;
use uuid::Uuid;

use crate::app::App;
use crate::http::cookie;
use crate::signed_ids::SigningKey;

const COOKIE: &str = "baton_device";
/// A cookie is sent with every request: of more accounts, it keeps the latest.
const MAX_ACCOUNTS: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    pub id: Uuid,
    /// The latest last.
    accounts: Vec<ProfileId>,
}

impl Device {
    fn new() -> Self {
        Self { id: Uuid::now_v7(), accounts: Vec::new() }
    }

    /// Whether its owner has signed in to this account here.
    pub fn knows(&self, account: ProfileId) -> bool {
        self.accounts.contains(&account)
    }

    fn also_for(mut self, account: ProfileId) -> Self {
        self.accounts.retain(|known| *known != account);
        self.accounts.push(account);
        let too_many = self.accounts.len().saturating_sub(MAX_ACCOUNTS);
        self.accounts.drain(..too_many);
        self
    }
}

pub struct DeviceKey(SigningKey);

impl DeviceKey {
    pub fn new(secret: Vec<u8>) -> Self {
        Self(SigningKey::new(secret))
    }

    fn sign(&self, device: &Device) -> String {
        self.0.sign(std::iter::once(device.id).chain(device.accounts.iter().map(|account| account.0)))
    }

    fn verify(&self, cookie: &str) -> Option<Device> {
        let mut ids = self.0.verify(cookie)?.into_iter();
        let id = ids.next()?;
        Some(Device { id, accounts: ids.map(ProfileId).collect() })
    }
}

pub fn device_in(app: &App, jar: &CookieJar) -> Option<Device> {
    jar.get(COOKIE).and_then(|cookie| app.devices.verify(cookie.value()))
}

/// Somebody has signed in here.
pub fn remember_device(app: &App, jar: CookieJar, account: ProfileId) -> CookieJar {
    let device = device_in(app, &jar).unwrap_or_else(Device::new).also_for(account);
    jar.add(cookie(app, COOKIE, app.devices.sign(&device)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_knows_who_signed_in_there_and_nobody_can_say_so_of_themselves() {
        let key = DeviceKey::new(vec![1; 32]);
        let (ana, ben) = (ProfileId::new(), ProfileId::new());
        let device = Device::new().also_for(ana);
        let cookie = key.sign(&device);
        let read = key.verify(&cookie).expect("a device");
        assert!(read == device && read.knows(ana) && !read.knows(ben));
        let forged = cookie.replace(&ana.0.simple().to_string(), &ben.0.simple().to_string());
        assert_eq!(key.verify(&forged), None);
        assert_eq!(DeviceKey::new(vec![2; 32]).verify(&cookie), None);
        let many = (0..MAX_ACCOUNTS).fold(device, |device, _| device.also_for(ProfileId::new()));
        assert!(!many.knows(ana), "the latest are kept");
    }
}
