//! ISO 4217: the codes, and how many decimals each currency has. A table of our own, as it is all that we need of a
//! crate: three letters and an exponent.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// In use, and those withdrawn that old files still name.
const CODES: &str = "\
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD \
HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD \
MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR \
RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH \
UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG \
ATS BEF BYR CUC CYP DEM EEK ESP FIM FRF GHC GRD HRK IEP ITL LTL LUF LVL MRO MTL NLG PTE SIT SKK SLL STD TRL VEF ZMK ZWL ";

const NONE: &str =
    "BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BEF ESP GRD ITL LUF PTE TRL";
const THREE: &str = "BHD IQD JOD KWD LYD OMR TND";
const FOUR: &str = "CLF UYW";

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

impl Currency {
    pub const EUR: Self = Self(*b"EUR");
    pub const USD: Self = Self(*b"USD");

    /// The currency of an ISO 4217 code, in either case.
    pub fn parse(code: &str) -> Option<Self> {
        let code: [u8; 3] = code.trim().to_ascii_uppercase().into_bytes().try_into().ok()?;
        let currency = Self(code);
        (code.iter().all(u8::is_ascii_uppercase) && is_in(CODES, currency.code())).then_some(currency)
    }

    pub fn code(&self) -> &str {
        // Only made of ASCII letters.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// How many decimals its amounts have.
    pub fn exponent(self) -> u8 {
        match self.code() {
            code if is_in(NONE, code) => 0,
            code if is_in(THREE, code) => 3,
            code if is_in(FOUR, code) => 4,
            _ => 2,
        }
    }
}

fn is_in(list: &str, code: &str) -> bool {
    list.as_bytes().chunks(4).any(|entry| entry.starts_with(code.as_bytes()))
}

impl std::fmt::Display for Currency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl std::fmt::Debug for Currency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::parse(&code)
            .ok_or_else(|| serde::de::Error::custom(format!("{code:?} is no ISO 4217 currency")))
    }
}
