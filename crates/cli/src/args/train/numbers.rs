//! Numbers with limits.

pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = not_negative(text)?;
    if number > 0.0 { Ok(number) } else { Err("must be greater than zero".to_owned()) }
}

pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("must be a number that is not negative".to_owned()),
    }
}
