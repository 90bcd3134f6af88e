//! (head comment follows)
