/** What went wrong, by the server's stable codes; `other` for codes that are not listed. */
export const problem = {
  title: "That did not work",
  request: "Request {{id}}",
  text_safe: "Your text is safe.",
  no_connection: "The server cannot be reached. Your text is kept on this computer until it can.",
  unauthorized: "A key is needed to get in.",
  forbidden: "This key may not do that.",
  not_found: "Not found: {{message}}",
  budget_exceeded: "The budget is spent: {{message}}",
  rate_limited: "Too many requests; try again in a moment.",
  overloaded: "The server is busy; try again in a moment.",
  stopping: "The server is being stopped; try again in a moment.",
  conflict: "It was changed elsewhere.",
  too_large: "It is too large.",
  other: "{{message}}",
};
