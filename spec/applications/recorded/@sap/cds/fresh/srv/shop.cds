service Shop @(path: '/shop') {
  entity Books {
    key ID    : Integer;
        title : String(20) @mandatory;
        stock : Integer;
  }

  action   order(book : Integer, amount : Integer) returns Integer;
  function hello(to : String) returns String;
}
