//! Who may ask what: the name of the host, the origin, the token, and what every answer says to browsers.
//!
//! A page of another site can make a browser send requests to this server. What it sends names its own origin, and lacks the
//! cookie, which is `SameSite=Strict`; a name of its own that it has resolve to this machine (DNS rebinding) is in `Host`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::api::{self, Access};
use super::connection::{HEADER_BYTES, head_bytes};
use super::refusal::{Code, Refusal};
use super::ticket::{Ticket, same};
use super::{ServerState, pages};

/// What every answer says.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// What a server demands of requests.
pub(super) struct Guard {
    /// The address that it listens on.
    pub(super) address: IpAddr,
    /// Its port, which names the cookie: browsers do not keep those of two ports apart.
    pub(super) port: u16,
    /// What is to be known.
    pub(super) token: String,
    /// Nothing is written, and no experiment is started.
    pub(super) read_only: bool,
    /// What is valid in place of the token, once.
    pub(super) ticket: Ticket,
}

impl Guard {
    /// The name by which a server may be asked: of this machine, or the address that it listens on.
    fn is_own_host(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        // An address cannot be made to resolve to another, as names can.
        match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || address == self.address || self.address.is_unspecified(),
            Err(_) => false,
        }
    }

    /// The host of a request, if it is this one.
    fn host<'a>(&self, uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut hosts = headers.get_all(HOST).iter().map(HeaderValue::to_str);
        // Of two hosts a proxy and this server might believe different ones.
        let (Some(Ok(host)), None) = (hosts.next(), hosts.next()) else { return None };
        let is_same = uri.authority().is_none_or(|authority| authority.as_str() == host);
        (is_same && self.is_own_host(host)).then_some(host)
    }

    /// The token is asked for even by those who only look.
    fn is_public(&self) -> bool {
        !self.address.is_loopback()
    }

    fn cookie(&self) -> String {
        format!("kenga-{}", self.port)
    }

    /// The request carries the token, in its cookie or as a bearer.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        if let Some(value) = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok())
            && let Some(word) = value.strip_prefix("Bearer ")
            && same(word, &self.token)
        {
            return true;
        }
        let name = self.cookie();
        for cookies in headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()) {
            for cookie in cookies.split(';') {
                if let Some((key, word)) = cookie.trim().split_once('=')
                    && key == name
                    && same(word, &self.token)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Refuses what may not be asked.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(host) = self.host(uri, headers) else {
            let help = format!("ask for http://127.0.0.1:{}/", self.port);
            return Err(Refusal::new(Code::ForeignHost, "this server does not go by the name in Host", help));
        };
        // A browser sends the origin with every POST, and with what a script of another site fetches; a program sends none.
        let own = format!("http://{host}");
        if headers.get_all(ORIGIN).iter().any(|origin| origin.as_bytes() != own.as_bytes()) {
            return Err(Refusal::new(Code::ForeignOrigin, "the page that asks is not of this server", ""));
        }
        // The path as it was sent: what is escaped differently is no endpoint for the router, either.
        let access = Self::access(method, uri.path());
        // The styles of the page that says so are the same for everybody.
        let is_open = access == Access::Open && (!self.is_public() || uri.path().starts_with("/page/"));
        // Without the token no page can do anything: a browser is told at once. What is no browser may look at them.
        let is_useless = pages::takes_token(uri.path()) && is_browser(headers);
        if (!is_open || is_useless) && !self.is_known(headers) {
            let message = match uri.query() {
                Some(query) if query.starts_with("token=") || query.starts_with("ticket=") => {
                    "the token in this address is not this server's"
                }
                _ => "this takes the server's token",
            };
            let help =
                "open the address that kenga serve has printed, or send it: Authorization: Bearer TOKEN";
            return Err(Refusal::new(Code::NoToken, message, help));
        }
        if access == Access::Writing && self.read_only {
            let message = "this server writes nothing, and starts no experiments";
            return Err(Refusal::new(Code::ReadOnly, message, "start it without --read-only"));
        }
        Ok(())
    }

    /// The credentials a request needs. Where no endpoint is, there is nothing but the pages, which anybody may look at.
    fn access(method: &Method, path: &str) -> Access {
        let only_looks = [Method::GET, Method::HEAD].contains(method);
        let method = if only_looks { "GET" } else { method.as_str() };
        let open = if only_looks { Access::Open } else { Access::Token };
        api::access(method, path).unwrap_or(open)
    }

    /// What to answer to the address that the server has printed, or that it had opened: the token moves into a cookie, and
    /// out of sight.
    fn welcome(&self, uri: &Uri) -> Option<Response> {
        if uri.path() != "/" || !uri.query()?.split('&').any(|pair| self.is_word(pair)) {
            return None;
        }
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie(), self.token);
        Some((StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())]).into_response())
    }

    /// A part of a query is the token, or a ticket, which is used up by that.
    fn is_word(&self, pair: &str) -> bool {
        match pair.split_once('=') {
            Some(("token", word)) => same(word, &self.token),
            Some(("ticket", word)) => self.ticket.takes(word),
            _ => false,
        }
    }
}

/// Whoever asks wants a page, not JSON.
fn is_browser(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.any(|types| types.contains("text/html"))
}

/// Lets through what may be asked, and says to browsers what they may do with the answer.
pub(super) async fn guarded(
    State(shared): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    // The library's own bound is coarse, and its answer to more is to close the connection.
    let (head, body) = request.into_parts();
    if head_bytes(&head) > HEADER_BYTES {
        return StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response();
    }
    let is_browser = is_browser(&head.headers);
    let request = Request::from_parts(head, body);
    let mut response = answer(&shared.guard, request, next).await;
    if is_browser && let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        response = pages::refusal(&refusal, response);
    }
    // Refusals have them, too: a browser shows those as pages.
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn answer(guard: &Guard, request: Request, next: Next) -> Response {
    let checked = guard.check(request.method(), request.uri(), request.headers());
    // Whoever opens the printed address has no cookie yet; a foreign page must not get one.
    let may_enter = checked.as_ref().err().is_none_or(|refusal| refusal.code == Code::NoToken);
    if may_enter
        && request.method() == Method::GET
        && let Some(welcome) = guard.welcome(request.uri())
    {
        return welcome;
    }
    match checked {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn guard(address: &str, read_only: bool) -> Guard {
        Guard {
            address: address.parse().expect("an address"),
            port: 4321,
            token: TOKEN.to_owned(),
            read_only,
            ticket: Ticket::default(),
        }
    }

    fn answer(guard: &Guard, method: Method, headers: &[(HeaderName, &str)]) -> &'static str {
        let all = headers.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value")));
        let mut map = HeaderMap::new();
        all.for_each(|(name, value)| _ = map.append(name, value));
        let path = if method == Method::GET { "/api/v1/list" } else { "/api/v1/start" };
        match guard.check(&method, &Uri::from_static(path), &map) {
            Ok(()) => "welcome",
            Err(refusal) => refusal.code.name(),
        }
    }

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        let local = guard("127.0.0.1", false);
        for host in ["127.0.0.1:4321", "localhost:4321", "LOCALHOST", "[::1]:4321", "127.0.0.1:80"] {
            assert_eq!(answer(&local, Method::GET, &[(HOST, host)]), "welcome", "{host}");
        }
        for host in
            ["evil.example:4321", "127.0.0.1.evil.example", "192.168.1.2:4321", "", "localhost.", "[::2]"]
        {
            assert_eq!(answer(&local, Method::GET, &[(HOST, host)]), "foreign_host", "{host}");
        }
        assert_eq!(answer(&local, Method::GET, &[]), "foreign_host");
        let two = [(HOST, "localhost"), (HOST, "evil.example")];
        assert_eq!(answer(&local, Method::GET, &two), "foreign_host");
    }

    #[test]
    fn only_pages_of_this_server_may_ask() {
        let local = guard("127.0.0.1", false);
        let of = |origin| answer(&local, Method::GET, &[(HOST, "localhost:4321"), (ORIGIN, origin)]);
        assert_eq!(of("http://localhost:4321"), "welcome");
        for origin in ["http://evil.example", "http://localhost:8080", "https://localhost:4321", "null"] {
            assert_eq!(of(origin), "foreign_origin", "{origin}");
        }
    }

    #[test]
    fn what_starts_or_writes_takes_the_token() {
        let local = guard("127.0.0.1", false);
        let post = |name: HeaderName, value: &str| {
            answer(&local, Method::POST, &[(HOST, "localhost"), (name, value)])
        };
        assert_eq!(answer(&local, Method::GET, &[(HOST, "localhost")]), "welcome");
        assert_eq!(answer(&local, Method::POST, &[(HOST, "localhost")]), "no_token");
        assert_eq!(post(AUTHORIZATION, &format!("Bearer {TOKEN}")), "welcome");
        assert_eq!(post(COOKIE, &format!("a=b; kenga-4321={TOKEN}")), "welcome");
        assert_eq!(post(COOKIE, &format!("kenga-4322={TOKEN}")), "no_token");
        for word in ["", "0", "0123456789abcdee", "0123456789abcdef0"] {
            assert_eq!(post(AUTHORIZATION, &format!("Bearer {word}")), "no_token", "{word}");
        }
    }

    #[test]
    fn a_public_server_asks_all_for_the_token() {
        let public = guard("192.168.1.2", false);
        let bearer = format!("Bearer {TOKEN}");
        assert_eq!(answer(&public, Method::GET, &[(HOST, "192.168.1.2:4321")]), "no_token");
        let known = [(HOST, "192.168.1.2:4321"), (AUTHORIZATION, bearer.as_str())];
        assert_eq!(answer(&public, Method::GET, &known), "welcome");
        assert_eq!(answer(&guard("0.0.0.0", false), Method::GET, &known), "welcome");
    }

    #[test]
    fn a_server_that_only_shows_writes_nothing_and_works_for_those_with_the_token() {
        let reader = guard("127.0.0.1", true);
        let bearer = format!("Bearer {TOKEN}");
        let known = [(HOST, "localhost"), (AUTHORIZATION, bearer.as_str())];
        assert_eq!(answer(&reader, Method::POST, &known), "read_only");
        assert_eq!(answer(&reader, Method::GET, &known), "welcome");
        let map = known.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value"))).collect();
        let solve = Uri::from_static("/api/v1/solve");
        assert!(reader.check(&Method::POST, &solve, &map).is_ok());
    }

    #[test]
    fn what_lies_behind_the_server_is_shown_to_those_with_the_token() {
        let local = guard("127.0.0.1", false);
        let host = HeaderMap::from_iter([(HOST, HeaderValue::from_static("localhost"))]);
        for path in ["/api/v1/runs?folder=a", "/api/v1/experiments", "/api/v1/events?folder=a"] {
            let refused = local.check(&Method::GET, &Uri::from_static(path), &host);
            assert_eq!(refused.map_err(|refusal| refusal.code), Err(Code::NoToken), "{path}");
        }
        for path in ["/api/v1/list", "/api/v1/health", "/", "/api/v1/runs/", "/api/v1/%72uns"] {
            assert!(local.check(&Method::GET, &Uri::from_static(path), &host).is_ok(), "{path}");
        }
    }

    #[test]
    fn a_browser_without_the_token_is_told_by_every_page() {
        let local = guard("127.0.0.1", false);
        let asked = |uri: &'static str, accept: &'static str, cookie: String| {
            let headers = HeaderMap::from_iter([
                (HOST, HeaderValue::from_static("localhost")),
                (ACCEPT, HeaderValue::from_static(accept)),
                (COOKIE, cookie.parse().expect("a value")),
            ]);
            let refused = local.check(&Method::GET, &Uri::from_static(uri), &headers).err();
            refused.map(|refusal| refusal.message().to_owned())
        };
        let browser = "text/html,application/xhtml+xml";
        for page in ["/", "/theatre", "/solver", "/bench", "/lab", "/compare"] {
            let said = asked(page, browser, String::new()).expect("a refusal");
            assert!(said.contains("takes the server's token"), "{page}: {said}");
            assert_eq!(asked(page, "*/*", String::new()), None, "{page}");
            assert_eq!(asked(page, browser, format!("kenga-4321={TOKEN}")), None, "{page}");
        }
        assert_eq!(asked("/api", browser, String::new()), None);
        let said = asked("/?token=0", browser, String::new()).expect("a refusal");
        assert!(said.contains("is not this server's"), "{said}");
    }

    #[test]
    fn a_public_server_shows_its_styles_to_all() {
        let public = guard("192.168.1.2", false);
        let host = HeaderMap::from_iter([(HOST, HeaderValue::from_static("192.168.1.2"))]);
        let of = |path| public.check(&Method::GET, &Uri::from_static(path), &host).is_ok();
        assert!(of("/page/base.css") && !of("/api") && !of("/"));
    }

    #[test]
    fn a_ticket_is_valid_once() {
        let local = guard("127.0.0.1", false);
        let at = |uri: &str| local.welcome(&uri.parse().expect("an address"));
        assert!(at("/?ticket=").is_none() && at("/?ticket=abc").is_none());
        local.ticket.set("abc".to_owned());
        assert!(at("/?ticket=abd").is_none() && at("/x?ticket=abc").is_none());
        let response = at("/?ticket=abc").expect("welcome");
        assert!(response.headers()[SET_COOKIE].to_str().is_ok_and(|cookie| cookie.contains(TOKEN)));
        assert!(at("/?ticket=abc").is_none());
    }

    #[test]
    fn the_token_moves_from_the_address_into_a_cookie() {
        let local = guard("127.0.0.1", false);
        let at = |uri: &str| local.welcome(&uri.parse().expect("an address"));
        let response = at(&format!("/?token={TOKEN}")).expect("welcome");
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        let cookie = format!("kenga-4321={TOKEN}; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(response.headers()[SET_COOKIE], cookie.as_str());
        assert!(at("/").is_none() && at("/?token=0").is_none() && at(&format!("/x?token={TOKEN}")).is_none());
    }
}
