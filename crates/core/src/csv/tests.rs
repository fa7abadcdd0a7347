use super::*;

#[test]
fn formulas_become_text_and_the_rest_stays() {
    for (csv, served) in [
        ("", ""),
        ("name,sum\nAna,5\r\n", "name,sum\nAna,5\r\n"),
        ("=1+1", "'=1+1"),
        ("a,=cmd|' /C calc'!A0", "a,'=cmd|' /C calc'!A0"),
        ("a\n@SUM(A1)\n", "a\n'@SUM(A1)\n"),
        ("a\r\n+1+cmd|x", "a\r\n'+1+cmd|x"),
        ("a;-2+3;-5;+5.20", "a;'-2+3;-5;+5.20"),
        ("a\t=1\t\tb", "a\t'=1\t\tb"),
        ("\"=1\",\"-5\",\"-5+x\"", "\"'=1\",\"-5\",\"'-5+x\""),
        ("\"\t=1\",\"\r=1\"", "\"'\t=1\",\"'\r=1\""),
        ("\"a,=b\"", "\"a,=b\""),
        ("\"say \"\"=x\"\"\",=y", "\"say \"\"=x\"\"\",'=y"),
        ("a\"b,=c", "a\"b,'=c"),
        ("\"a\"b,=c", "\"a\"b,'=c"),
        (" \"a,=b\"", " \"a,'=b\""),
        ("a=b,c-d,e@f", "a=b,c-d,e@f"),
        ("＝1", "'＝1"),
        ("Grüße,日本,-", "Grüße,日本,'-"),
    ] {
        assert_eq!(without_formulas(csv), served, "{csv:?}");
    }
}
